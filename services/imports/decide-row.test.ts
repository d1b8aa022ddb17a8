import { beforeEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, importFile, reportOf, workOn } from '@proveklar/tests/support/imports.ts';
import { decideRow, type RowDecision } from './decide-row.ts';
import { stepImport } from './end-import.ts';
import { readImport } from './read-imports.ts';
import { readReport } from './read-report.ts';

const database = useTestDatabase();
beforeEach(() => emptyTables(database.pool, 'question', 'question_import', 'outbox'));

const ADMIN = 'admin@example.no';
const step = (id: string, name: 'confirm' | 'discard' | 'undo') =>
  stepImport(database.pool, id, name, ADMIN);
const decide = (importId: string, row: number, decision: RowDecision) =>
  decideRow(database.pool, { importId, row, decision, actor: ADMIN });

/** The active questions with their answers: `A?=a`. */
async function bank(): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `select question || '=' || answer as line from question
     left join question_import on question_import.id = question.import_id
     where retired_at is null and question_import.state = 'completed'`,
  );
  return rows.map(({ line }) => line).toSorted();
}

/** A bank with "A?", and a file whose second row answers it differently. */
async function differing(dryRun = false): Promise<string> {
  await importFile(database.pool, [fileRow('A?', { tags: ['before'] })]);
  const file = [fileRow('B?'), fileRow('a?', { answer: 'x', tags: ['after'] })];
  const done = await importFile(database.pool, file, { dryRun });
  expect(done).toMatchObject({ imported: 1, duplicates: 1, differing: 1 });
  return done.id;
}

describe('a row with another answer than the bank', () => {
  test('updates the question, and undoing the import restores it', async () => {
    const id = await differing();
    await decide(id, 2, { action: 'update' });
    expect(await bank()).toEqual(['B?=a', 'a?=x']);
    expect(await readImport(database.pool, id)).toMatchObject({
      updated: 1,
      duplicates: 0,
      differing: 0,
      rows: 2,
    });
    expect(await reportOf(database.pool, id)).toEqual(['2 updated']);
    await step(id, 'undo');
    await workOn(database.pool, id);
    expect(await bank()).toEqual(['A?=a']);
    const { rows } = await database.pool.query('select tags, version from question');
    expect(rows).toEqual([{ tags: ['before'], version: 3 }]);
  });

  test('is added with another text, and undoing the import deletes it', async () => {
    const id = await differing();
    await decide(id, 2, { action: 'add', question: ' C? ' });
    expect(await bank()).toEqual(['A?=a', 'B?=a', 'C?=x']);
    expect(await readImport(database.pool, id)).toMatchObject({
      imported: 2,
      duplicates: 0,
      differing: 0,
      rows: 2,
    });
    expect(await readReport(database.pool, id, { after: 0, limit: 10 })).toEqual([]);
    const { rows } = await database.pool.query<{ text: string }>(
      `select text from question_search where text ilike '%c?%'`,
    );
    expect(rows).toHaveLength(1);
    await step(id, 'undo');
    await workOn(database.pool, id);
    expect(await bank()).toEqual(['A?=a']);
  });

  test('of a trial run takes effect when it is confirmed', async () => {
    const id = await differing(true);
    await decide(id, 2, { action: 'update' });
    expect(await bank()).toEqual(['A?=a']);
    await step(id, 'confirm');
    await workOn(database.pool, id);
    expect(await bank()).toEqual(['B?=a', 'a?=x']);
    expect(await readImport(database.pool, id)).toMatchObject({ updated: 1, duplicates: 0 });
  });

  test('of a trial run that is discarded changes nothing', async () => {
    const id = await differing(true);
    await decide(id, 2, { action: 'add', question: 'C?' });
    await step(id, 'discard');
    await workOn(database.pool, id);
    expect(await bank()).toEqual(['A?=a']);
    const { rows } = await database.pool.query('select from question');
    expect(rows).toHaveLength(1);
  });

  test('is decided once, also when two editors decide at the same time', async () => {
    const id = await differing();
    const both = await Promise.allSettled([
      decide(id, 2, { action: 'update' }),
      decide(id, 2, { action: 'add', question: 'C?' }),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'import_row_not_open' },
    });
    const { rows } = await database.pool.query(
      'select from audit_entry where subject = $1 and action = $2',
      [id, 'import.row_decided'],
    );
    expect(rows).toHaveLength(1);
  });

  test('keeps its place in the report when its new text is taken, or not valid', async () => {
    const id = await differing();
    await expect(decide(id, 2, { action: 'add', question: 'b?' })).rejects.toMatchObject({
      code: 'question_duplicate',
    });
    await expect(decide(id, 2, { action: 'add', question: ' ' })).rejects.toMatchObject({
      code: 'validation_failed',
      details: { field: 'question' },
    });
    await expect(decide(id, 1, { action: 'update' })).rejects.toMatchObject({
      code: 'import_row_not_open',
    });
    expect(await reportOf(database.pool, id)).toEqual(['2 duplicate']);
  });
});

test('a row with another answer than an earlier row of the file can be added with another text', async () => {
  const { id } = await importFile(database.pool, [fileRow('A?'), fileRow('A?', { answer: 'x' })]);
  await decide(id, 2, { action: 'add', question: 'B?' });
  expect(await bank()).toEqual(['A?=a', 'B?=x']);
});
