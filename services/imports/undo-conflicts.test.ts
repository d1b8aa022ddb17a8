import { afterEach, describe, expect, test, vi } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { WAIT } from '@proveklar/tests/support/hang.ts';
import { fileRow, importFile, sendFile, workOn } from '@proveklar/tests/support/imports.ts';
import { applyUpdates } from './apply-updates.ts';
import { stepImport } from './end-import.ts';
import { readImport } from './read-imports.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';
const UUID = '3f1c9a52-7b8e-4d06-9c41-5e2ad07b61f8';
const UPDATE = { onDuplicate: 'update' } as const;

afterEach(async () => {
  await emptyTables(database.pool, 'question', 'question_import', 'outbox', 'account');
});

async function undo(id: string) {
  await stepImport(database.pool, id, 'undo', ADMIN);
  await workOn(database.pool, id);
  return readImport(database.pool, id);
}

async function bank() {
  const { rows } = await database.pool.query(
    `select question, topic, tags, translation_group as "group" from question order by question`,
  );
  return rows;
}

describe('undoing an import', () => {
  test('does not restore an updated question whose former text another question has by now', async () => {
    await importFile(database.pool, [fileRow('A?', { uuid: UUID }), fileRow('C?')]);
    const file = [fileRow('B?', { uuid: UUID }), fileRow('C?', { topic: 'Geografi' })];
    const { id } = await importFile(database.pool, file, UPDATE);
    await importFile(database.pool, [fileRow('A?')]);
    expect(await undo(id)).toMatchObject({ state: 'undone' });
    expect((await bank()).map(({ question, topic }) => `${question} ${topic}`)).toEqual([
      'A? Historie',
      'B? Historie',
      'C? Historie',
    ]);
  });

  test('restores tags and group of an updated question', async () => {
    const before = fileRow('A?', { tags: ['x', 'y'], group: 'first' });
    await importFile(database.pool, [before]);
    const change = { topic: 'Geografi', tags: ['z'], group: 'second' };
    const { id } = await importFile(database.pool, [fileRow('A?', change)], UPDATE);
    expect(await bank()).toEqual([{ question: 'A?', ...change }]);
    await undo(id);
    expect(await bank()).toEqual([
      { question: 'A?', topic: 'Historie', tags: ['x', 'y'], group: 'first' },
    ]);
  });
});

describe('a quiz that is being drawn', () => {
  /** Draws both questions in a transaction that has not committed yet. */
  async function drawing() {
    const { id } = await createLearner(database.pool);
    const quiz = await database.pool.connect();
    const { rows } = await quiz.query<{ pid: number }>('select pg_backend_pid() as pid');
    await quiz.query('begin');
    await quiz.query(
      `with begun as (
         insert into quiz (account_id, kind, topic, language, instant_feedback, total)
         values ($1, 'drill', 'Historie', 'no', true, 1) returning id)
       insert into quiz_question (quiz_id, question_id, position)
       select begun.id, question.id, row_number() over () from begun, question`,
      [id],
    );
    return {
      /** Resolves when the work has ended, or when a statement waits for this quiz. */
      outcomeOf(work: Promise<unknown>): Promise<string> {
        const state = { is: 'at work' };
        work.then(
          () => (state.is = 'done'),
          () => (state.is = 'failed'),
        );
        const look = async () => {
          const { rowCount } = await database.pool.query(
            'select from pg_stat_activity where pg_blocking_pids(pid) @> array[$1::int]',
            [rows[0]!.pid],
          );
          return rowCount ? 'held up' : state.is;
        };
        return vi.waitUntil(async () => {
          const outcome = await look();
          return outcome !== 'at work' && outcome;
        }, WAIT);
      },
      commit: async () => {
        await quiz.query('commit');
        quiz.release();
      },
    };
  }

  test('does not block an update, and is not blocked by one', async () => {
    await importFile(database.pool, [fileRow('A?')]);
    const id = await sendFile(database.pool, [], UPDATE);
    await database.pool.query(
      `insert into import_update (import_id, question_id, row)
       select $1, id, to_jsonb(q) || '{"answer": "new"}' from question q`,
      [id],
    );
    const quiz = await drawing();
    const applied = applyUpdates(database.pool, id);
    const outcome = await quiz.outcomeOf(applied);
    await quiz.commit();
    await applied;
    expect(outcome).toBe('done');
  });

  test('does not block undoing an import: its questions are retired', async () => {
    const { id } = await importFile(database.pool, [fileRow('A?')]);
    const quiz = await drawing();
    const undone = undo(id);
    const outcome = await quiz.outcomeOf(undone);
    await quiz.commit();
    await undone;
    expect(outcome).toBe('done');
    expect(await bank()).toHaveLength(1);
  });
});
