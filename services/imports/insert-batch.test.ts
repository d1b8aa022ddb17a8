import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, importFile, reportOf, sendFile } from '@proveklar/tests/support/imports.ts';
import { withTransaction } from '#database/pool.ts';
import { type Batch, batchRows, toRows } from './batch-rows.ts';
import { insertBatch, LEFT_OUT, NOTE_UPDATES } from './insert-batch.ts';
import { ImportEnded } from './end-import.ts';
import { readImport } from './read-imports.ts';
import { readReport } from './read-report.ts';
import { ROW_TEXTS } from './row-texts.ts';
import { writeReport } from './write-report.ts';
import { TopicNames } from './topic-names.ts';

const database = useTestDatabase();
const UUIDS = ['3f1c9a52-7b8e-4d06-9c41-5e2ad07b61f8', 'b7d20e64-1a9f-4c35-8e70-93f6c2d5a418'];
let id: string;

beforeEach(async () => {
  id = await sendFile(database.pool, []);
});
afterEach(async () => {
  await emptyTables(database.pool, 'question', 'question_import', 'outbox');
});

async function toBatch(rows: unknown[], number = 0, before = 0): Promise<Batch> {
  const pieces = (async function* () {
    yield rows.map((value, index) => {
      const line = before + index + 1;
      return { value, end: line, line, endLine: line + 1 };
    });
  })();
  const from = { byte: 0, rows: before, line: before + 1, batch: number };
  const topics = await TopicNames.ofBank(database.pool);
  for await (const batch of batchRows(pieces, from, { topics })) {
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
    expect(await reportOf(database.pool, id)).toEqual(['11 duplicate']);
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

  test('is told apart: in the bank, in the file, and with another answer or other options', async () => {
    await importFile(database.pool, [inBank]);
    const b = fileRow('B?', { incorrect: ['c', 'd', 'b'] });
    await insert(
      await toBatch([
        fileRow('In the bank?'),
        fileRow('B?'),
        b,
        fileRow('B?', { answer: 'x' }),
        fileRow('In the bank?', { incorrect: ['b', 'c'] }),
      ]),
    );
    const rows = await readReport(database.pool, id, { after: 0, limit: 100 });
    expect(
      rows.map(({ row, line, repeats, differs }) => [row, line, repeats, differs?.in]),
    ).toEqual([
      [1, 1, null, undefined],
      [3, 3, 2, undefined],
      [4, 4, 2, 'answer'],
      [5, 5, null, 'options'],
    ]);
    expect(rows[2]!.differs).toEqual({
      in: 'answer',
      row: { answer: 'x', incorrect: ['b', 'c', 'd'] },
      known: { answer: 'a', incorrect: ['b', 'c', 'd'] },
    });
    const only = async (outcome: 'known' | 'repeated' | 'differing') =>
      (await readReport(database.pool, id, { outcome, after: 0, limit: 9 })).map(({ row }) => row);
    expect([await only('known'), await only('repeated'), await only('differing')]).toEqual([
      [1],
      [3],
      [4, 5],
    ]);
    expect(await readImport(database.pool, id)).toMatchObject({
      duplicates: 4,
      repeated: 1,
      differing: 2,
    });
  });

  test('is the later of two equal rows, also when its batch is inserted first', async () => {
    await insert(await toBatch([fileRow('A?', { answer: 'second' }), fileRow('B?')], 1, 10));
    await insert(await toBatch([fileRow('0?'), fileRow('a?', { answer: 'first' }), fileRow('A?')]));
    const { rows } = await database.pool.query(
      `select question, answer from question order by question collate "C"`,
    );
    expect(rows).toEqual([
      { question: '0?', answer: 'a' },
      { question: 'B?', answer: 'a' },
      { question: 'a?', answer: 'first' },
    ]);
    const report = await readReport(database.pool, id, { after: 0, limit: 9 });
    expect(report.map(({ row, repeats, differs }) => [row, repeats, differs?.row?.answer])).toEqual(
      [
        [3, 2, 'a'],
        [11, 2, 'second'],
      ],
    );
    expect(await counts()).toMatchObject({ imported: 3, duplicates: 2 });
    const { rows: batches } = await database.pool.query(
      'select imported, duplicates from import_batch where import_id = $1 order by number',
      [id],
    );
    expect(batches).toEqual([
      { imported: 2, duplicates: 1 },
      { imported: 1, duplicates: 1 },
    ]);
  });

  test('updates a question by the first of its rows, also when a later batch is inserted first', async () => {
    await importFile(database.pool, [inBank]);
    const row = (answer: string) => fileRow('In the bank?', { answer });
    await insert(await toBatch([row('second')], 1, 10), 'update');
    await insert(await toBatch([row('first')]), 'update');
    const { rows } = await database.pool.query<{ answer: string }>(
      `select row->>'answer' as answer from import_update where import_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ answer: 'first' }]);
    expect(await reportOf(database.pool, id)).toEqual(['1 updated', '11 duplicate']);
    expect(await counts()).toMatchObject({ updated: 1, duplicates: 1 });
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

test('rows that the bank has are found by index, also when the statistics say that the bank is empty', async () => {
  const batch = await toBatch(Array.from({ length: 500 }, (_, index) => fileRow(`${index}?`)));
  await withTransaction(database.pool, async (tx) => {
    await insertBatch(tx, { id, on_duplicate: 'skip' }, batch);
    await database.pool.query('analyze question');
  });
  const { rows: statistics } = await database.pool.query(
    `select relpages > 0 as pages, reltuples from pg_class where oid = 'question'::regclass`,
  );
  expect(statistics).toEqual([{ pages: true, reltuples: 0 }]);
  const rows = toRows(
    batch,
    batch.goodRows.map((_row, place) => -place),
  );
  const plan = async (sql: string, values: unknown[]) =>
    (await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, values)).rows
      .map((row) => row['QUERY PLAN'])
      .filter((line) => /Materialize|Seq Scan/.test(line));
  expect(await plan(LEFT_OUT, [rows, id])).toEqual([]);
  expect(await plan(NOTE_UPDATES, [rows, id, [1], [1]])).toEqual([]);
});

describe('a doubtful row', () => {
  test('is imported with a warning, cleaned where that is safe, and listed with its text', async () => {
    await importFile(database.pool, [fileRow('In the bank?', { topic: 'History' })]);
    await insert(
      await toBatch([
        fileRow('Plain?'),
        fileRow('\u200BGrunn\u00ADloven?'),
        fileRow('Hva er en sÃ¸knad?', { topic: 'history', incorrect: ['b'] }),
        fileRow('Hva er <b>Stortinget</b>&nbsp;?', { incorrect: ['A.', 'c'] }),
        fileRow('Lost: \uFFFD?'),
      ]),
    );
    const { rows } = await database.pool.query<{ question: string; topic: string }>(
      `select question, topic from question where import_id = $1 order by id`,
      [id],
    );
    expect(rows.map(({ question }) => question)).toEqual([
      'Plain?',
      'Grunnloven?',
      'Hva er en søknad?',
      'Hva er Stortinget ?',
      'Lost: \uFFFD?',
    ]);
    expect(rows[2]!.topic).toBe('History');
    const report = await readReport(database.pool, id, { outcome: 'warned', after: 0, limit: 9 });
    const remarks = report.flatMap(({ row, warnings }) =>
      warnings.map(({ field, reason, value, cleaned }) =>
        [row, field, reason, value, cleaned ? 'cleaned' : ''].join(' '),
      ),
    );
    expect(remarks).toEqual([
      '2 question invisible \u200BGrunn\u00ADloven? cleaned',
      '3 question mojibake Hva er en sÃ¸knad? cleaned',
      '3 incorrect one_wrong_answer  ',
      '3 topic topic_case history cleaned',
      '4 question markup Hva er <b>Stortinget</b>&nbsp;? cleaned',
      '4 incorrect.0 options_case A. ',
      '5 question mojibake Lost: \uFFFD? ',
    ]);
    expect(report[0]).toMatchObject({ line: 2, question: 'Grunnloven?', outcome: 'imported' });
    expect(await readImport(database.pool, id)).toMatchObject({ warned: 4, cleaned: 3 });
  });

  test('may be every row of a file: they are stored as one run', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => fileRow(`${n}?`, { incorrect: ['b'] }));
    await insert(await toBatch(rows));
    const { rows: batches } = await database.pool.query<{ runs: number }>(
      'select jsonb_array_length(warnings) as runs from import_batch where import_id = $1',
      [id],
    );
    expect(batches).toEqual([{ runs: 1 }]);
    const report = await readReport(database.pool, id, { outcome: 'warned', after: 97, limit: 9 });
    expect(report.map(({ row, line, question }) => [row, line, question])).toEqual([
      [98, 98, '97?'],
      [99, 99, '98?'],
      [100, 100, '99?'],
    ]);
  });
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
      { field: 'language', reason: 'language_not_offered', value, cleaned: false },
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
    const file = (await Array.fromAsync(writeReport(database.pool, id, 'en'))).join('');
    expect(file).toContain(
      `\r\n7;7;added;language;language_not_offered;${ROW_TEXTS.en.warning.language_not_offered.replace('{{language}}', 'sr-Latn')};sr-Latn;E?;`,
    );
    const norwegian = (await Array.fromAsync(writeReport(database.pool, id, 'no'))).join('');
    expect(norwegian).toMatch(/^\uFEFFrad;linje;resultat;felt;/u);
    expect(norwegian).toContain('\r\n4;4;finnes fra før;');
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
