import { beforeEach, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { addQuestions, createLearner } from '@proveklar/tests/support/factories.ts';
import { refit } from './refit.ts';

const database = useTestDatabase();

const QUESTIONS = 25;
const QUIZZES = 100;
const ANSWERS_OF_EACH = QUESTIONS * QUIZZES;

beforeEach(async () => {
  await emptyTables(
    database.pool,
    'account',
    'question',
    'question_import',
    'learner_question',
    'learning_fit',
  );
  await addQuestions(
    database.pool,
    Array.from({ length: QUESTIONS }, (_, n) => ({
      language: 'no',
      topic: n % 2 ? 'Historie' : 'Geografi',
      question: `Hva er ${n}?`,
      answer: 'riktig',
      incorrect: ['feil', 'galt'],
    })),
    'test',
  );
});

/** Ended drills of a learner. Only the first answer is counted: the others wait in a backlog. */
async function practise(accountId: string): Promise<void> {
  await database.pool.query(
    `with quizzes as (
       insert into quiz (account_id, kind, topic, language, instant_feedback, state, started_at, ended_at, score, total)
       select $1, 'drill', 'all', 'no', true, 'ended', now() - make_interval(days => n), now(), 1, ${QUESTIONS}
       from generate_series(1, ${QUIZZES}) as n
       returning id, started_at
     ), asked as (
       insert into quiz_question (quiz_id, question_id, position)
       select quizzes.id, question.id, row_number() over (partition by quizzes.id order by question.id)
       from quizzes cross join question
       returning quiz_id, question_id, position
     )
     insert into quiz_answer (quiz_id, question_id, answer, correct, answered_at)
     select quiz_id, question_id, 'riktig', position % 3 > 0, started_at
     from asked join quizzes on quizzes.id = quiz_id`,
    [accountId],
  );
  await database.pool.query(
    `insert into learner_question (account_id, question_id, times_shown, times_right, first_correct, last_correct,
       last_answered_at, stability, difficulty, due_on)
     select $1, min(id), 1, 1, true, true, now(), 1, 5, current_date from question`,
    [accountId],
  );
}

const fitted = async () => {
  const { rows } = await database.pool.query<{ answers: number }>(
    'select answers from learning_fit',
  );
  return rows[0]?.answers;
};

test('reads at most as many answers as it may hold, of whole learners, also those not counted yet', async () => {
  for (let learner = 0; learner < 3; learner += 1) {
    await practise((await createLearner(database.pool)).id);
  }
  expect(await refit(database.pool, undefined, 2 * ANSWERS_OF_EACH + 1)).toBe(2 * ANSWERS_OF_EACH);
  expect(await fitted()).toBe(2 * ANSWERS_OF_EACH);
  expect(await refit(database.pool)).toBe(3 * ANSWERS_OF_EACH);
});

test('changes nothing where too few answers fit', async () => {
  await practise((await createLearner(database.pool)).id);
  expect(await refit(database.pool, undefined, ANSWERS_OF_EACH - 1)).toBe(0);
  expect(await fitted()).toBeUndefined();
});
