import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, importFile, reportOf, sendFile } from '@proveklar/tests/support/imports.ts';
import { withTransaction } from '#database/pool.ts';
import { type Batch, batchRows, insertBatch } from './insert-batch.ts';
import { ImportEnded } from './end-import.ts';
import { readImport, readReport, writeReport } from './read-imports.ts';

const database = useTestDatabase();
const UUIDS = ['3f1c9a52-7b8e-4d06-9c41-5e2ad07b61f8', 'b7d20e64-1a9f-4c35-8e70-93f6c2d5a418'];
let id: string;

beforeEach(async () => {
  id = await sendFile(database.pool, []);
});
afterEach(async () => {
  await database.pool.query('truncate question, question_import, outbox cascade');
});

async function toBatch(rows: unknown[], number = 0, before = 0): Promise<Batch> {
  const pieces = (async function* () {
    yield rows.map((value, index) => ({ value, end: before + index + 1 }));
  })();
  for await (const batch of batchRows(pieces, { byte: 0, rows: before, batch: number })) {
    return batch;
  }
  throw new Error('There are no rows');
}

const insert = (batch: Batch, on_duplicate: 'skip' | 'update' = 'skip') =>
  withTransaction(database.pool, (tx) => insertBatch(tx, { id, on_duplicate }, batch));

async function counts() {
  const { rows, imported, updated, duplicates, rejected, bytes_done } = await readImport(
    database.pool,
    id,
  );
  expect(rows).toBe(imported + updated + duplicates + rejected);
  const { rows: bank } = await database.pool.query('select from question where import_id = $1', [
    id,
  ]);
  expect(bank).toHaveLength(imported);
  return { imported, updated, duplicates, rejected, bytes_done };
}

describe('a batch', () => {
  test('is inserted once, however often it is sent', async () => {
    const batch = await toBatch([fileRow('A?'), fileRow('B?', { answer: 1 })]);
    await Promise.all([insert(batch), insert(batch)]);
    await insert(batch);
    expect(await counts()).toMatchObject({ imported: 1, rejected: 1, bytes_done: 2 });
  });

  test('may be inserted after a later one: the counts add up, and bytes_done does not decrease', async () => {
    await insert(await toBatch([fileRow('B?')], 1, 10));
    await insert(await toBatch([fileRow('A?'), fileRow('B?')], 0));
    expect(await counts()).toMatchObject({ imported: 2, duplicates: 1, bytes_done: 11 });
    expect(await reportOf(database.pool, id)).toEqual(['2 duplicate']);
  });

  test('of an import that was ended is not inserted', async () => {
    await database.pool.query(`update question_import set state = 'cancelled' where id = $1`, [id]);
    await expect(insert(await toBatch([fileRow('A?')]))).rejects.toBeInstanceOf(ImportEnded);
    expect(await counts()).toMatchObject({ imported: 0, bytes_done: 0 });
  });

  test('without a valid row still has a report', async () => {
    await insert(await toBatch([1, null, 'x']));
    expect(await counts()).toMatchObject({ rejected: 3 });
    expect(await reportOf(database.pool, id)).toHaveLength(3);
  });
});

describe('a duplicate', () => {
  const inBank = fileRow('In the bank?', { uuid: UUIDS[0] });
  const CASES: [string, object[], string[]][] = [
    ['in the batch, by text', [fileRow('A?'), fileRow(' a? ')], ['2 duplicate']],
    [
      'in the batch, by uuid',
      [fileRow('A?', { uuid: UUIDS[1] }), fileRow('B?', { uuid: UUIDS[1] })],
      ['2 duplicate'],
    ],
    [
      'in the batch, by uuid and text',
      [fileRow('A?', { uuid: UUIDS[1] }), fileRow('A?', { uuid: UUIDS[1] })],
      ['2 duplicate'],
    ],
    ['of the bank, by text', [fileRow('in THE bank?')], ['1 duplicate']],
    ['of the bank, by uuid', [fileRow('Other?', { uuid: UUIDS[0] })], ['1 duplicate']],
    [
      'of the bank by text, whose uuid another row has',
      [
        fileRow('In the bank?', { uuid: UUIDS[1] }),
        fileRow('New?', { uuid: UUIDS[1] }),
        fileRow('New, too?'),
      ],
      ['1 duplicate'],
    ],
    ['not in another language', [fileRow('In the bank?', { language: 'en' })], []],
  ];

  test.each(CASES)('%s', async (_name, rows, report) => {
    await importFile(database.pool, [inBank]);
    await insert(await toBatch(rows));
    expect(await reportOf(database.pool, id)).toEqual(report);
    expect(await counts()).toMatchObject({ duplicates: report.length });
  });

  test('names the question that the bank has', async () => {
    await importFile(database.pool, [inBank]);
    await insert(await toBatch([fileRow('In the bank?')]));
    const { rows } = await database.pool.query(
      `select question.uuid from import_batch
       cross join jsonb_array_elements(report) as entry
       join question on question.id = (entry->>'question_id')::bigint where import_batch.import_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ uuid: UUIDS[0] }]);
  });

  test('matches a retired question by its uuid only', async () => {
    await importFile(database.pool, [inBank]);
    await database.pool.query('update question set retired_at = now()');
    await insert(await toBatch([fileRow('In the bank?'), fileRow('B?', { uuid: UUIDS[0] })]));
    expect(await reportOf(database.pool, id)).toEqual(['2 duplicate']);
    expect(await counts()).toMatchObject({ imported: 1, duplicates: 1 });
  });
});

test('concurrent batches with the same questions in different order add up', async () => {
  const texts = Array.from({ length: 5_000 }, (_, index) => `${index}?`);
  const rows = [...texts, ...texts.toReversed()].map((text) => fileRow(text));
  const done = await importFile(database.pool, rows);
  expect(done).toMatchObject({ state: 'completed', imported: 5_000, duplicates: 5_000 });
  expect(await reportOf(database.pool, done.id)).toHaveLength(5_000);
});

describe('a language that learners are not offered', () => {
  const polish = (question: string) => fileRow(question, { language: 'pl' });

  test('is imported with a warning for each row and counted; duplicates and bad rows are not', async () => {
    await importFile(database.pool, [polish('In the bank?')]);
    await insert(
      await toBatch([
        fileRow('Norwegian?'),
        polish('A?'),
        polish('B?'),
        polish('In the bank?'),
        fileRow('C?', { language: 'pl', answer: 1 }),
        polish('D?'),
        fileRow('E?', { language: 'sr-Latn' }),
        fileRow('English?', { language: 'en' }),
      ]),
    );
    await insert(await toBatch([polish('F?')], 1, 8));
    const { imported, not_offered } = await readImport(database.pool, id);
    expect([imported, not_offered]).toEqual([
      7,
      [
        { language: 'pl', questions: 4 },
        { language: 'sr-Latn', questions: 1 },
      ],
    ]);
    const report = (outcome?: 'warned', after = 0, limit = 100) =>
      readReport(database.pool, id, { outcome, after, limit });
    const warning = (value: string) => [
      { field: 'language', reason: 'language_not_offered', value },
    ];
    expect((await report('warned')).map(({ row, warnings }) => [row, warnings])).toEqual([
      ...[2, 3, 6].map((row) => [row, warning('pl')]),
      [7, warning('sr-Latn')],
      [9, warning('pl')],
    ]);
    expect((await report()).map(({ row, outcome }) => `${row} ${outcome}`)).toEqual([
      '2 imported',
      '3 imported',
      '4 duplicate',
      '5 rejected',
      '6 imported',
      '7 imported',
      '9 imported',
    ]);
    expect((await report('warned', 3, 2)).map(({ row }) => row)).toEqual([6, 7]);
    const lines = (await Array.fromAsync(writeReport(database.pool, id))).join('').split('\n');
    expect(lines).toContain(
      '7,imported,language,language_not_offered,sr-Latn is a language that learners are not offered,',
    );
  });

  test('gives a warning for a row that updates a question too', async () => {
    await importFile(database.pool, [polish('In the bank?')]);
    const better = { ...polish('In the bank?'), answer: 'better' };
    await insert(await toBatch([better]), 'update');
    const [row] = await readReport(database.pool, id, { after: 0, limit: 1 });
    expect(row).toMatchObject({ outcome: 'updated', warnings: [{ value: 'pl' }] });
    const { not_offered } = await readImport(database.pool, id);
    expect(not_offered).toEqual([{ language: 'pl', questions: 1 }]);
  });

  test.each(['norsk', 'NO', 'n', 'sr-latn', 'no_NO', 'en-US-x'])(
    'the code %s is rejected',
    async (language) => {
      await insert(await toBatch([fileRow('A?', { language })]));
      expect(await reportOf(database.pool, id)).toEqual(['1 rejected language language_code']);
    },
  );
});
