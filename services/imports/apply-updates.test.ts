import { afterEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import {
  fileRow,
  importFile,
  reportOf,
  sendFile,
  tracesOf,
  workOn,
} from '@proveklar/tests/support/imports.ts';
import { applyUpdates } from './apply-updates.ts';
import { ImportEnded, stepImport } from './end-import.ts';
import { readImport } from './read-imports.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';
const UUIDS = ['3f1c9a52-7b8e-4d06-9c41-5e2ad07b61f8', 'b7d20e64-1a9f-4c35-8e70-93f6c2d5a418'];
const UPDATE = { onDuplicate: 'update' } as const;

afterEach(async () => {
  await emptyTables(database.pool, 'question', 'question_import', 'outbox', 'account');
});

const update = (file: unknown[]) => importFile(database.pool, file, UPDATE);

/** Every question with its answer and version, then its older versions. */
async function bank(): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `select concat_ws(' ', question, answer, 'v' || version,
              case when retired_at is not null then 'retired' end,
              (select string_agg('(' || old.question || ' ' || old.answer || ')', '' order by version)
               from question_version old where question_id = question.id)) as line
     from question order by id`,
  );
  return rows.map(({ line }) => line);
}

/** Uses the questions in a quiz. */
async function useInQuiz(question: string): Promise<void> {
  const { id } = await createLearner(database.pool);
  await database.pool.query(
    `with begun as (
       insert into quiz (account_id, kind, topic, language, instant_feedback, total)
       values ($1, 'drill', 'Historie', 'no', true, 1) returning id)
     insert into quiz_question (quiz_id, question_id, position)
     select begun.id, question.id, 1 from begun, question where question = $2`,
    [id, question],
  );
}

async function undo(id: string): Promise<void> {
  await stepImport(database.pool, id, 'undo', ADMIN);
  await workOn(database.pool, id);
  expect(await readImport(database.pool, id)).toMatchObject({ state: 'undone', undone_by: ADMIN });
}

describe('an import that updates', () => {
  test('changes questions that differ, keeps the old version, and skips identical ones', async () => {
    await importFile(database.pool, [fileRow('A?'), fileRow('B?')]);
    const done = await update([fileRow('a?', { answer: 'new' }), fileRow('B?'), fileRow('C?')]);
    expect(done).toMatchObject({ rows: 3, imported: 1, updated: 1, duplicates: 1, rejected: 0 });
    expect(await reportOf(database.pool, done.id)).toEqual(['1 updated', '2 duplicate']);
    expect(await bank()).toEqual(['a? new v2 (A? a)', 'B? a v1', 'C? a v1']);
  });

  test('finds a question by its uuid, whatever its text is now', async () => {
    await importFile(database.pool, [fileRow('A?', { uuid: UUIDS[0] })]);
    await update([fileRow('Quite another?', { uuid: UUIDS[0] })]);
    expect(await bank()).toEqual(['Quite another? a v2 (A? a)']);
  });

  test('does nothing to a question that is no longer in the bank', async () => {
    await importFile(database.pool, [fileRow('A?', { uuid: UUIDS[0] })]);
    await database.pool.query('update question set retired_at = now()');
    const done = await update([fileRow('B?', { uuid: UUIDS[0] })]);
    expect(done).toMatchObject({ imported: 0, updated: 0, duplicates: 1 });
    expect(await bank()).toEqual(['A? a v1 retired']);
  });

  test('lets the first of two rows for a question win', async () => {
    await importFile(database.pool, [fileRow('A?')]);
    const done = await update([fileRow('A?', { answer: 'x' }), fileRow('A?', { answer: 'y' })]);
    expect(done).toMatchObject({ updated: 1, duplicates: 1 });
    expect(await reportOf(database.pool, done.id)).toEqual(['1 updated', '2 duplicate']);
    expect(await bank()).toEqual(['A? x v2 (A? a)']);
  });

  test('does not take the text of another question: two questions cannot swap texts', async () => {
    await importFile(database.pool, [
      fileRow('A?', { uuid: UUIDS[0] }),
      fileRow('B?', { uuid: UUIDS[1] }),
    ]);
    const done = await update([
      fileRow('B?', { uuid: UUIDS[0], answer: 'x' }),
      fileRow('A?', { uuid: UUIDS[1], answer: 'y' }),
    ]);
    expect(done).toMatchObject({ rows: 2, updated: 0, duplicates: 2 });
    expect(await bank()).toEqual(['A? a v1', 'B? a v1']);
  });

  test('counts the second of two updates to the same text as a duplicate', async () => {
    await importFile(database.pool, [
      fileRow('A?', { uuid: UUIDS[0] }),
      fileRow('B?', { uuid: UUIDS[1] }),
    ]);
    const done = await update(UUIDS.map((uuid) => fileRow('Both?', { uuid })));
    expect(done).toMatchObject({ state: 'completed', rows: 2, updated: 1, duplicates: 1 });
    expect(await reportOf(database.pool, done.id)).toEqual(['1 updated', '2 duplicate']);
    expect(await bank()).toEqual(['Both? a v2 (A? a)', 'B? a v1']);
  });

  test('changes nothing in a dry run, and everything when it is confirmed', async () => {
    await importFile(database.pool, [fileRow('A?')]);
    const file = [fileRow('A?', { answer: 'new' })];
    const { id } = await importFile(database.pool, file, { ...UPDATE, dryRun: true });
    expect(await readImport(database.pool, id)).toMatchObject({ state: 'checked', updated: 1 });
    expect(await bank()).toEqual(['A? a v1']);
    await stepImport(database.pool, id, 'confirm', ADMIN);
    await workOn(database.pool, id);
    expect(await bank()).toEqual(['A? new v2 (A? a)']);
  });

  test('reverts its updates when it is cancelled while it applies them', async () => {
    await importFile(database.pool, [fileRow('A?'), fileRow('B?')]);
    const id = await sendFile(database.pool, [fileRow('A?', { answer: 'new' })], UPDATE);
    // A worker has read the file, and died after it had applied one of the updates.
    await database.pool.query(
      `insert into import_update (import_id, question_id, row)
       select $1, id, to_jsonb(q) || '{"answer": "new"}' from question q where question = 'A?'`,
      [id],
    );
    await applyUpdates(database.pool, id);
    expect(await bank()).toEqual(['A? new v2 (A? a)', 'B? a v1']);
    await stepImport(database.pool, id, 'cancel', ADMIN);
    await workOn(database.pool, id);
    expect(await bank()).toEqual(['A? a v3 (A? a)(A? new)', 'B? a v1']);
    expect(await tracesOf(database.pool, id)).toMatchObject({ updates: 0 });
  });

  test('applies no updates after it is cancelled', async () => {
    await importFile(database.pool, [fileRow('A?')]);
    const id = await sendFile(database.pool, [], UPDATE);
    await database.pool.query(
      `insert into import_update (import_id, question_id, row)
       select $1, id, to_jsonb(q) || '{"answer": "new"}' from question q`,
      [id],
    );
    await stepImport(database.pool, id, 'cancel', ADMIN);
    await expect(applyUpdates(database.pool, id)).rejects.toBeInstanceOf(ImportEnded);
    expect(await bank()).toEqual(['A? a v1']);
  });
});

describe('undoing an import', () => {
  test('deletes questions that no learner has seen, and retires the rest', async () => {
    const { id } = await importFile(database.pool, [fileRow('A?'), fileRow('B?')]);
    await useInQuiz('B?');
    await undo(id);
    expect(await bank()).toEqual(['B? a v1 retired']);
    expect(await importFile(database.pool, [fileRow('A?'), fileRow('B?')])).toMatchObject({
      imported: 2,
    });
  });

  test('leaves other imports alone', async () => {
    await importFile(database.pool, [fileRow('A?')]);
    const { id } = await importFile(database.pool, [fileRow('A?'), fileRow('B?')]);
    await undo(id);
    expect(await bank()).toEqual(['A? a v1']);
  });

  test('restores an updated question, as a new version', async () => {
    await importFile(database.pool, [fileRow('A?')]);
    const { id } = await update([fileRow('A?', { answer: 'new' })]);
    await undo(id);
    expect(await bank()).toEqual(['A? a v3 (A? a)(A? new)']);
    expect(await tracesOf(database.pool, id)).toEqual({ questions: 0, updates: 0, chunks: 0 });
  });

  test('keeps a later edit', async () => {
    await importFile(database.pool, [fileRow('A?')]);
    const { id } = await update([fileRow('A?', { answer: 'second' })]);
    await update([fileRow('A?', { answer: 'third' })]);
    await undo(id);
    expect(await bank()).toEqual(['A? third v3 (A? a)(A? second)']);
  });
});
