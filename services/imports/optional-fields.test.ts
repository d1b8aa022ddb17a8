import { afterEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, importFile, reportOf, workOn } from '@proveklar/tests/support/imports.ts';
import { listVersions, readBankQuestion } from '#questions/bank-question.ts';
import { exportBank } from '#questions/export-bank.ts';
import { stepImport } from './end-import.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';
const UPDATE = { onDuplicate: 'update' } as const;

const OPTIONAL = {
  incorrect_reasons: ['Because of b.', null, '=1+1 | because of d'],
  source_url: 'https://example.no/kilde',
  source_title: 'En kilde',
  checked_at: '2026-11-23',
  valid_from: '2024-02-29',
  ages: 2027,
  group: 'historie-001',
  excludes: ['historie-002', 'historie-003'],
};
const { group: _group, ...VERSIONED } = OPTIONAL;
const NONE = {
  incorrect_reasons: null,
  source_title: null,
  valid_from: null,
  ages: null,
  excludes: [],
};

afterEach(async () => {
  await emptyTables(database.pool, 'question', 'question_import', 'outbox');
});

async function readOnly() {
  const { rows } = await database.pool.query<{ id: number }>('select id from question');
  return readBankQuestion(database.pool, rows[0]!.id);
}

async function exported(format: 'json' | 'csv'): Promise<string> {
  let text = '';
  for await (const part of exportBank(database.pool, format, {})) text += part;
  return text;
}

async function undo(id: string): Promise<void> {
  await stepImport(database.pool, id, 'undo', ADMIN);
  await workOn(database.pool, id);
}

describe('the optional fields of a row', () => {
  test.each(['json', 'csv'] as const)(
    'are in the bank, and the same again after an export as %s',
    async (format) => {
      await importFile(database.pool, [fileRow('A?', OPTIONAL)]);
      expect(await readOnly()).toMatchObject(OPTIONAL);
      const file = await exported(format);
      expect(await importFile(database.pool, file, { ...UPDATE, format })).toMatchObject({
        updated: 0,
        duplicates: 1,
      });
      await emptyTables(database.pool, 'question');
      await importFile(database.pool, file, { format });
      expect(await readOnly()).toMatchObject(OPTIONAL);
    },
  );

  test('that are left out are none, also after an export, and a list of nulls is none', async () => {
    const rows = [fileRow('A?', { incorrect_reasons: [null, null, null], excludes: [] })];
    await importFile(database.pool, rows);
    expect(await readOnly()).toMatchObject(NONE);
    expect(Object.keys((JSON.parse(await exported('json')) as [object])[0])).toEqual(
      expect.not.arrayContaining(Object.keys(NONE)),
    );
    expect(await importFile(database.pool, rows, UPDATE)).toMatchObject({ duplicates: 1 });
  });

  test.each<[object, string]>([
    [{ incorrect_reasons: 'b' }, 'incorrect_reasons not_a_list'],
    [{ incorrect_reasons: ['x', null] }, 'incorrect_reasons not_as_many'],
    [{ incorrect_reasons: ['x', null, null, null] }, 'incorrect_reasons not_as_many'],
    [{ incorrect_reasons: ['x', ' ', null] }, 'incorrect_reasons.1 blank'],
    [{ incorrect_reasons: ['x', null, 7] }, 'incorrect_reasons.2 not_text'],
    [{ incorrect_reasons: ['x'.repeat(2001), null, null] }, 'incorrect_reasons.0 too_long'],
    [{ source_title: ' ' }, 'source_title blank'],
    [{ source_title: 7 }, 'source_title not_text'],
    [{ excludes: 'historie-002' }, 'excludes not_a_list'],
    [{ excludes: [''] }, 'excludes.0 blank'],
    [{ excludes: Array.from({ length: 21 }, (_, index) => `g-${index}`) }, 'excludes too_many'],
    [{ valid_from: '2026-02-30' }, 'valid_from not_a_date'],
    [{ valid_from: 2026 }, 'valid_from not_text'],
    [{ ages: '2027' }, 'ages not_a_year'],
    [{ ages: 1999 }, 'ages not_a_year'],
    [{ ages: 2027.5 }, 'ages not_a_year'],
  ])('are a fault of the row: %#', async (change, fault) => {
    const done = await importFile(database.pool, [fileRow('A?', change), fileRow('B?')]);
    expect(done).toMatchObject({ imported: 1, rejected: 1 });
    expect(await reportOf(database.pool, done.id)).toEqual([`1 rejected ${fault}`]);
  });

  test('stand beside their wrong answers in CSV, whatever columns are empty', async () => {
    const file = [
      'language,topic,question,answer,incorrect_1,incorrect_reason_1,incorrect_2,incorrect_3,incorrect_reason_3,ages',
      'no,Historie,A?,a,b,,,d,Because of d,2027',
      'no,Historie,B?,a,b,,,d,Because of d,soon',
      'no,Historie,C?,a,b,,c,,Because of nothing,',
    ].join('\n');
    const done = await importFile(database.pool, file, { format: 'csv' });
    expect(await reportOf(database.pool, done.id)).toEqual([
      '2 rejected ages not_a_year',
      '3 rejected incorrect_reasons not_as_many',
    ]);
    expect(await readOnly()).toMatchObject({
      incorrect: ['b', 'd'],
      incorrect_reasons: [null, 'Because of d'],
      ages: 2027,
    });
  });
});

describe('an import that updates the optional fields', () => {
  test.each(Object.entries(OPTIONAL))(
    'updates a question that differs in %s',
    async (name, value) => {
      await importFile(database.pool, [fileRow('A?')]);
      const done = await importFile(database.pool, [fileRow('A?', { [name]: value })], UPDATE);
      expect(done).toMatchObject({ updated: 1, duplicates: 0 });
      expect(await readOnly()).toMatchObject({ [name]: value, version: 2 });
    },
  );

  test('keeps them as a version, and brings them back when it is undone', async () => {
    await importFile(database.pool, [fileRow('A?', OPTIONAL)]);
    const { id } = await importFile(database.pool, [fileRow('A?', { answer: 'new' })], UPDATE);
    const updated = await readOnly();
    expect(updated).toMatchObject({ ...NONE, answer: 'new' });
    const versions = await listVersions(database.pool, updated.id);
    expect(versions).toMatchObject([NONE, VERSIONED]);
    await undo(id);
    expect(await readOnly()).toMatchObject({ ...OPTIONAL, version: 3 });
  });
});
