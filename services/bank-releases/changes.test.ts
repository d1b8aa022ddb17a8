import { beforeEach, expect, test } from 'vitest';
import { withTransaction } from '#database/pool.ts';
import { findLatestRelease } from '#questions/bank-release.ts';
import { deleteQuestion, editQuestion, lockQuestion } from '#questions/edit-question.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { countEvents } from '@proveklar/tests/support/count-events.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { fileRow } from '@proveklar/tests/support/imports.ts';
import { startQuizOf } from '@proveklar/tests/support/quizzes.ts';
import { answerQuestion } from '#quiz/answer-question.ts';
import { endQuiz } from '#quiz/end-quiz.ts';
import { readQuiz } from '#quiz/read-quiz.ts';
import { applyRelease, planRelease, undoRelease } from './apply-release.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';

const row = (group: string, question: string, change: object = {}) =>
  fileRow(question, { group, tags: ['valg'], ...change });
const OLD = [row('a-001', 'A?'), row('a-002', 'B?'), row('a-003', 'C?')];
/** A has another text and key, B is as before, C is dropped, and D is new. */
const NEW = [row('a-001', 'A nå?', { answer: 'b', incorrect: ['a'] }), OLD[1]!, row('a-004', 'D?')];

beforeEach(async () => {
  await emptyTables(
    database.pool,
    'question',
    'question_import',
    'question_change',
    'bank_question',
    'bank_release',
  );
  await applyRelease(database.pool, OLD);
});

async function bank(): Promise<string[]> {
  const { rows } = await database.pool.query<{ known: string }>(
    `select concat_ws(' ', question, answer, 'v' || version,
              case when retired_at is not null then 'retired' when validated then 'valid' end) as known
     from question order by id`,
  );
  return rows.map(({ known }) => known);
}

const idOf = async (group: string): Promise<number> => {
  const { rows } = await database.pool.query<{ id: number }>(
    'select id from question where translation_group = $1',
    [group],
  );
  return rows[0]!.id;
};

async function undoLatest() {
  const latest = await findLatestRelease(database.pool);
  return latest && undoRelease(database.pool, latest);
}

/** An administrator changes the explanation. */
async function edit(group: string): Promise<void> {
  const current = await withTransaction(database.pool, async (tx) =>
    lockQuestion(tx, await idOf(group)),
  );
  await editQuestion(database.pool, {
    question: current.id,
    version: current.version,
    content: { ...current, explanation: 'Fordi.' },
    actor: ADMIN,
  });
}

test('a release updates, retires and adds, and a second time changes nothing', async () => {
  expect(await applyRelease(database.pool, NEW)).toMatchObject({
    updated: 1,
    retired: 1,
    unchanged: 1,
    added: 1,
    kept: [],
  });
  const after = ['A nå? b v2 valid', 'B? a v1 valid', 'C? a v1 retired', 'D? a v1 valid'];
  expect(await bank()).toEqual(after);
  expect(await applyRelease(database.pool, NEW)).toMatchObject({
    release: null,
    updated: 0,
    retired: 0,
    added: 0,
  });
  expect(await bank()).toEqual(after);
  const { rows: versions } = await database.pool.query(
    'select version, question, answer, replaced_by from question_version',
  );
  expect(versions).toEqual([{ version: 1, question: 'A?', answer: 'a', replaced_by: 'bank' }]);
});

test('a database from before there were releases is updated too', async () => {
  await emptyTables(database.pool, 'bank_question', 'bank_release');
  expect(await applyRelease(database.pool, NEW)).toMatchObject({ updated: 1, added: 1 });
  // Without a note that C was ours, it stays.
  expect(await bank()).toEqual([
    'A nå? b v2 valid',
    'B? a v1 valid',
    'C? a v1 valid',
    'D? a v1 valid',
  ]);
});

test('what administrators have edited or deleted stays, and is listed', async () => {
  await edit('a-001');
  await edit('a-003');
  await deleteQuestion(database.pool, { question: await idOf('a-002'), actor: ADMIN });
  expect(await applyRelease(database.pool, NEW)).toMatchObject({
    updated: 0,
    retired: 0,
    kept: [
      { group: 'a-001', language: 'no', reason: 'edited' },
      { group: 'a-002', language: 'no', reason: 'deleted' },
      { group: 'a-003', language: 'no', reason: 'edited' },
    ],
  });
  expect(await bank()).toEqual(['A? a v2 valid', 'C? a v2 valid', 'D? a v1 valid']);
});

test('a new text that another question has already is left out', async () => {
  await applyRelease(database.pool, [...OLD, fileRow('A nå?')]);
  expect(await applyRelease(database.pool, NEW)).toMatchObject({
    updated: 0,
    kept: [{ group: 'a-001', language: 'no', reason: 'duplicate' }],
  });
});

test('a plan names the changes and makes none', async () => {
  await edit('a-002');
  const before = await bank();
  const changed = { ...OLD[1]!, explanation: 'Derfor.' };
  const plan = await planRelease(database.pool, {
    fingerprint: 'f'.repeat(64),
    questions: [NEW[0]!, changed, NEW[2]!, row('a-005', 'Ё?', { language: 'sr' })],
  });
  const [first, second, third] = [await idOf('a-001'), await idOf('a-002'), await idOf('a-003')];
  const no = { language: 'no' };
  expect(plan).toEqual({
    release: 'f'.repeat(64),
    languages: [
      { language: 'no', questions: 3, offered: true },
      { language: 'sr', questions: 1, offered: false },
    ],
    added: 2,
    updated: 1,
    retired: 1,
    unchanged: 0,
    changes: [
      {
        ...no,
        group: 'a-001',
        question: 'A nå?',
        question_id: first,
        action: 'updated',
        fields: ['question', 'answer', 'incorrect'],
      },
      { ...no, group: 'a-003', question: 'C?', question_id: third, action: 'retired', fields: [] },
      { ...no, group: 'a-004', question: 'D?', question_id: null, action: 'added', fields: [] },
      {
        group: 'a-005',
        language: 'sr',
        question: 'Ё?',
        question_id: null,
        action: 'added',
        fields: [],
      },
    ],
    kept: [{ ...no, group: 'a-002', question: 'B?', question_id: second, reason: 'edited' }],
  });
  expect(await bank()).toEqual(before);
});

test('an undo restores everything but what was edited since, and the release can be applied again', async () => {
  await applyRelease(database.pool, NEW);
  expect(await undoLatest()).toEqual({ restored: 2 });
  expect(await bank()).toEqual(['A? a v3 valid', 'B? a v1 valid', 'C? a v1 valid']);
  await applyRelease(database.pool, NEW);
  expect(await bank()).toEqual([
    'A nå? b v4 valid',
    'B? a v1 valid',
    'C? a v1 retired',
    'D? a v1 valid',
  ]);
  await edit('a-001');
  expect(await undoLatest()).toEqual({ restored: 1 });
  expect((await bank())[0]).toBe('A nå? b v5 valid');
});

test('finished quizzes, statistics and what learners remember stay as they were', async () => {
  const { pool } = database;
  const learner = await createLearner(pool);
  const quiz = await startQuizOf(pool, learner.id, { questionCount: 5 });
  expect(quiz.questions).toHaveLength(3);
  for (const { uuid } of quiz.questions) {
    const given = { quizId: quiz.id, questionUuid: uuid, answer: 'a' };
    await answerQuestion(pool, { uid: learner.uid, signedInAt: Date.now(), ...given });
  }
  await endQuiz(pool, learner.id, quiz.id);
  await countEvents(pool);
  const kept = async () => {
    const { rows: statistics } = await pool.query(
      'select question_id, times_correct, times_incorrect from question_statistics order by 1',
    );
    const { rows: memory } = await pool.query(
      'select * from learner_question order by question_id',
    );
    const { questions, answers, score } = await readQuiz(pool, learner.id, quiz.id);
    return { questions, answers, score, statistics, memory };
  };
  const before = await kept();
  expect([before.score, before.statistics.length, before.memory.length]).toEqual([3, 3, 3]);
  // The key of A is another one, and C is retired.
  await applyRelease(pool, NEW);
  expect(await kept()).toEqual(before);
  // A learner has seen D: the undo retires it, and does not delete it.
  await startQuizOf(pool, learner.id, { questionCount: 5 });
  await undoLatest();
  expect(await kept()).toEqual(before);
  expect((await bank()).at(-1)).toBe('D? a v1 retired');
});

test('two releases are undone one by one', async () => {
  const third = [row('a-001', 'A til slutt?'), ...NEW.slice(1)];
  await applyRelease(database.pool, NEW);
  await applyRelease(database.pool, third);
  await undoLatest();
  expect((await bank())[0]).toBe('A nå? b v4 valid');
  await undoLatest();
  expect((await bank())[0]).toBe('A? a v5 valid');
  // The first seed only added questions.
  await undoLatest();
  expect(await bank()).toEqual([]);
  expect(await undoLatest()).toBeNull();
});

test('a release brings, changes and takes away a picture, and an undo restores it', async () => {
  const pictures = async () => {
    const { rows } = await database.pool.query(
      `select image_alt, areas from question where translation_group = 'a-001'`,
    );
    return rows[0];
  };
  const image = (color: string) =>
    `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1" fill="${color}"/>`;
  const areas = ['a', 'b', 'c', 'd'].map((name) => ({ name, shape: '1,1 2,2 3,3' }));
  const withRed = [
    row('a-001', 'A?', { image: image('red'), image_alt: 'Rødt', areas }),
    ...OLD.slice(1),
    row('a-004', 'D?', { image: image('red'), image_alt: 'Også rødt' }),
  ];
  const withBlue = [
    row('a-001', 'A?', { image: image('blue'), image_alt: 'Blått' }),
    ...withRed.slice(1),
  ];
  expect(await applyRelease(database.pool, withRed)).toMatchObject({ updated: 1, added: 1 });
  expect(await applyRelease(database.pool, withRed)).toMatchObject({ updated: 0, unchanged: 4 });
  expect(await pictures()).toEqual({ image_alt: 'Rødt', areas });
  expect(await applyRelease(database.pool, withBlue)).toMatchObject({ updated: 1 });
  expect(await pictures()).toEqual({ image_alt: 'Blått', areas: null });
  await undoLatest();
  expect(await pictures()).toEqual({ image_alt: 'Rødt', areas });
});
