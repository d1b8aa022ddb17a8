import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, sendFile } from '@proveklar/tests/support/imports.ts';
import { withTransaction } from '#database/pool.ts';
import { type Batch, batchRows } from './batch-rows.ts';
import { BatchBuffers, PackedRows } from './copy-rows.ts';
import { insertBatch } from './insert-batch.ts';
import { readImport } from './read-imports.ts';

const database = useTestDatabase();
let id: string;

beforeEach(async () => {
  id = await sendFile(database.pool, []);
});
afterEach(async () => {
  await emptyTables(database.pool, 'question', 'question_import', 'image', 'outbox');
});

async function toBatch(rows: unknown[], { number = 0, before = 0 } = {}): Promise<Batch> {
  const pieces = (async function* () {
    yield rows.map((value, place) => ({ value, end: before + place + 1, line: 1, endLine: 1 }));
  })();
  const from = { byte: before, rows: before, line: 1, batch: number };
  const { value } = await batchRows(pieces, from).next();
  return value as Batch;
}

const insert = (batch: Batch, isNew: boolean) =>
  withTransaction(database.pool, (tx) =>
    insertBatch(tx, { id, on_duplicate: 'skip' }, batch, { isNew }),
  );

describe('the rows of a batch', () => {
  /** Each field that a row of a file may have, with what PostgreSQL's formats write in their own ways. */
  const texts = [
    String.raw`C:\new\table \N \.`,
    'a\tb\nc\rd',
    '{"a","b"}, {} (NULL)',
    'NULL',
    'it\'s “quoted” "twice"',
    '👩‍🏫 Ål é',
  ];
  const shape = '0,0 9,0 9,9';
  const whole = texts.map((text, place) => ({
    language: 'no',
    topic: text,
    question: `${text}?`,
    answer: `a ${text}`,
    incorrect: texts.map((other) => `${place} ${other}`).slice(0, 3),
    incorrect_reasons: [text, null, 'NULL'],
    explanation: text,
    source_url: String.raw`https://example.no/a\b`,
    source_title: text,
    checked_at: '2026-01-15',
    valid_from: '2026-01-16',
    ages: 2027,
    group: text,
    excludes: ['x\\y', 'z'],
    tags: [],
    image: `data:image/svg+xml;base64,${Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
    ).toString('base64')}`,
    image_alt: text,
    areas: [
      { name: `a ${text}`, shape },
      ...texts.slice(0, 3).map((other) => ({ name: `${place} ${other}`, shape })),
    ],
    uuid: `3f1c9a52-7b8e-4d06-9c41-5e2ad07b61f${place}`,
  }));
  const given = [...whole, fileRow('Bare?'), fileRow('Empty lists?', { excludes: [], tags: [] })];

  const stored = async (isNew: boolean) => {
    const batch = await toBatch(given);
    expect(batch.bad).toEqual([]);
    await insert(batch, isNew);
    const { rows } = await database.pool.query<{ own: object }>(
      `select to_jsonb(q) - 'id' - 'created_at' - 'draw_key'
         - case when question like any ('{Bare?,Empty%}') then 'uuid' else '' end as own
       from question q order by id`,
    );
    await database.pool.query('delete from question');
    await database.pool.query('delete from import_batch');
    return rows.map(({ own }) => own);
  };

  test('are the same whether they are copied or inserted', async () => {
    const copied = await stored(true);
    expect(copied).toHaveLength(given.length);
    expect(copied).toEqual(await stored(false));
  });

  test('are inserted one by one where the bank has one of them', async () => {
    await insert(await toBatch([fileRow('B?')]), true);
    const batch = await toBatch([fileRow('A?'), fileRow('B?'), fileRow('C?')], {
      number: 1,
      before: 1,
    });
    expect(await insert(batch, true)).toBe(false);
    const { imported, duplicates } = await readImport(database.pool, id);
    expect({ imported, duplicates }).toEqual({ imported: 3, duplicates: 1 });
  });
});

test('rows are read back as they were packed, also when the buffer had to grow', () => {
  const rows = ['', 'Ål 👩‍🏫 é', 'ø'.repeat(200_000), '👩'.repeat(300_000), 'last'].map((text) => ({
    ...fileRow(`${text}?`, { explanation: text }),
    ...(text === 'last' && { uuid: '3f1c9a52-7b8e-4d06-9c41-5e2ad07b61f0' }),
  }));
  const packed = new PackedRows();
  for (const row of rows) packed.push(row);
  expect(rows.map((_row, place) => packed.at(place))).toEqual(rows);
  expect(() => packed.at(rows.length)).toThrow(RangeError);
});

test('a batch that uses the buffer of an earlier one has only its own rows', () => {
  const buffers = new BatchBuffers();
  const earlier = new PackedRows(buffers);
  for (const text of ['A?', 'B?']) earlier.push(fileRow(text));
  earlier.free();
  expect(earlier.length).toBe(0);
  const packed = new PackedRows(buffers);
  packed.push(fileRow('C?'));
  expect(packed.length).toBe(1);
  expect(packed.at(0)).toEqual(fileRow('C?'));
});

test('the buffer that is copied is used again only after COPY has taken it', async () => {
  const buffers = new BatchBuffers();
  const packed = new PackedRows(buffers);
  packed.push(fileRow('A?'));
  let sent: Buffer = Buffer.alloc(0);
  let taken = () => {};
  const copying = new Writable({
    write(chunk: Buffer, _encoding, done) {
      [sent, taken] = [chunk, done];
    },
  });
  const copied = packed.copyTo(copying, [1], 'import');
  const before = sent.toString();
  expect(before).toContain('A?');
  buffers.take().fill(0);
  expect(sent.toString()).toBe(before);
  taken();
  await copied;
  expect(buffers.take().buffer).toBe(sent.buffer);
});
