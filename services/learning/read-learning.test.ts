import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countEvents } from '@proveklar/tests/support/count-events.ts';
import { createQuestions, setPrice } from '@proveklar/tests/support/factories.ts';
import { withQuizzes } from '@proveklar/tests/support/quizzes.ts';
import { changePlan } from './plan.ts';
import { answerOutcome, readLearning, streakOf } from './read-learning.ts';
import { emptyTables } from '@proveklar/tests/support/database.ts';

const quizzes = withQuizzes();
const { database } = quizzes;

beforeEach(async () => {
  await emptyTables(
    database.pool,
    'quiz',
    'outbox',
    'learner_question',
    'learner_plan',
    'exam_outcome',
  );
});

const read = () => readLearning(database.pool, quizzes.learner.id, 'no');

async function answer(topic: string, count: number, isRight: (index: number) => boolean) {
  const quiz = await quizzes.start({ topic, questionCount: count });
  for (const index of quiz.questions.keys()) {
    await quizzes.answer(quiz, index, isRight(index) ? 'right' : 'wrong');
  }
  await countEvents(database.pool);
}

/** With so many questions that most of them are not seen. */
const LARGE_TOPICS = ['Helse', 'Lov', 'Natur', 'Skole', 'Velferd'];

beforeAll(async () => {
  for (const topic of LARGE_TOPICS) {
    await createQuestions(database.pool, { topic, count: 200 });
  }
  // Otherwise reading computes again what a test has changed.
  await database.pool.query('update learning_rebuild set completed_at = now()');
});

const TOPICS = ['Historie', 'Geografi', 'Arbeidsliv', 'Utdanning'];

const dayFromNow = async (days: number) => {
  const { rows } = await database.pool.query(
    `select ((now() at time zone 'Europe/Oslo')::date + $1::int)::text as day`,
    [days],
  );
  return rows[0].day as string;
};

describe('what a learner is told', () => {
  test('before the first answer: everything is new, and nothing is said about readiness', async () => {
    expect(await read()).toMatchObject({
      today: { goal: 20, done: 0, due: 0, wrong_today: 0, new: 20 },
      streak: { days: 0 },
      readiness: null,
      next_step: null,
      topics: [...TOPICS, ...LARGE_TOPICS].toSorted().map((topic) => ({
        topic,
        known: 0,
        unsure: 0,
        unseen: TOPICS.includes(topic) ? 12 : 200,
      })),
    });
  });

  test("counts answers of today, due questions and topics; today's mistakes are among what is to be repeated", async () => {
    await answer('Historie', 10, (index) => index < 6);
    const learning = await read();
    expect(learning.today).toEqual({ goal: 20, done: 10, due: 3, wrong_today: 4, new: 7 });
    expect(learning.streak).toEqual({ days: 1, forgiven_used: 0 });
    expect(learning.topics.find(({ topic }) => topic === 'Historie')).toEqual({
      topic: 'Historie',
      total: 12,
      known: 6,
      unsure: 4,
      unseen: 2,
    });
    await database.pool.query(
      `update learner_question set last_answered_at = last_answered_at - interval '1 day'`,
    );
    expect((await read()).today).toMatchObject({ due: 3, wrong_today: 0, new: 7 });
  });

  test('after a holiday no more is due than a part of the goal, as long as there are new questions', async () => {
    await answer('Historie', 12, () => false);
    await database.pool.query(
      `update learner_question set last_answered_at = last_answered_at - interval '30 days'`,
    );
    await database.pool.query(
      `update quiz_answer set answered_at = answered_at - interval '30 days'`,
    );
    await changePlan(database.pool, quizzes.learner.id, { daily_goal: 10 });
    expect((await read()).today).toMatchObject({ done: 0, due: 3, new: 7 });
    await answer('Geografi', 6, () => true);
    expect((await read()).today).toMatchObject({ done: 6, due: 2, new: 2 });
    await answer('Utdanning', 5, () => true);
    expect((await read()).today).toMatchObject({ done: 11, due: 0, new: 0 });
  });

  test('the day before the exam repeats what is known, as far as the goal, and calls it known', async () => {
    await answer('Historie', 12, () => true);
    await answer('Geografi', 12, (index) => index < 10);
    await database.pool.query(
      `update learner_question set last_answered_at = last_answered_at - interval '1 day',
         due_on = due_on + 30`,
    );
    await database.pool.query(
      `update quiz_answer set answered_at = answered_at - interval '1 day'`,
    );
    const known = async () => (await read()).topics.reduce((sum, topic) => sum + topic.known, 0);
    const change = { exam_date: await dayFromNow(1), daily_goal: 10 };
    await changePlan(database.pool, quizzes.learner.id, change);
    expect((await read()).today).toMatchObject({ goal: 10, done: 0, due: 10, new: 0 });
    expect(await known()).toBe(22);
    await answer(LARGE_TOPICS[0]!, 10, () => true);
    expect((await read()).today).toMatchObject({ done: 10, due: 0, new: 0 });
    expect(await known()).toBe(32);
  });

  test('readiness is silent below 40 answers, and more certain with more', async () => {
    for (const topic of LARGE_TOPICS.slice(0, 3)) await answer(topic, 13, (index) => index > 2);
    expect(await read()).toMatchObject({ readiness: null, answers_missing: 1, next_step: null });
    await answer(LARGE_TOPICS[3]!, 13, (index) => index > 2);
    expect(await read()).toMatchObject({ readiness: null });
    await answer(LARGE_TOPICS[4]!, 13, (index) => index > 2);
    const few = (await read()).readiness!;
    expect(few.answers).toBe(65);
    expect((await read()).answers_missing).toBe(0);
    expect(few.low).toBeLessThan(few.probability);
    expect(few.high).toBeGreaterThan(few.probability);
    for (const topic of LARGE_TOPICS) await answer(topic, 50, () => true);
    const many = (await read()).readiness!;
    expect(many.probability).toBeGreaterThan(few.probability);
    expect(many.high - many.low).toBeLessThan(few.high - few.low);
  });

  test('a learner who is wrong more often than right is told a low probability', async () => {
    for (const topic of LARGE_TOPICS) await answer(topic, 10, (index) => index % 3 === 0);
    expect((await read()).readiness!.probability).toBeLessThan(0.2);
  });

  test('the next step is the topic that is known least', async () => {
    for (const topic of [...TOPICS, ...LARGE_TOPICS]) {
      await answer(topic, 12, (index) => topic !== 'Helse' || index < 3);
    }
    await database.pool.query(
      `update learner_question set last_correct = true, due_on = due_on + 30, stability = 100`,
    );
    expect((await read()).next_step).toEqual({ kind: 'new', topic: 'Helse', questions: 10 });
  });
});

test('says when access ends before the exam, as long as no more days are paid for', async () => {
  const end = (days: number) =>
    database.pool.query(
      `update account set service_expires_at = now() + make_interval(days => $2) where id = $1`,
      [quizzes.learner.id, days],
    );
  const endsFirst = async () => (await read()).access_ends_first;
  await end(10);
  expect(await endsFirst()).toBeNull();
  await changePlan(database.pool, quizzes.learner.id, { exam_date: await dayFromNow(12) });
  await setPrice(database.pool, 0);
  expect(await endsFirst()).toBeNull();
  await setPrice(database.pool, 14_900);
  expect(await endsFirst()).toBe(await dayFromNow(10));
  await end(12);
  expect(await endsFirst()).toBeNull();
  await end(-1);
  expect(await endsFirst()).toBeNull();
  await end(30);
});

describe('a streak', () => {
  test.each([
    ['no practice', [], 0, 0],
    ['today and the two days before', [0, 1, 2], 3, 0],
    ['up to yesterday', [1, 2], 2, 0],
    ['one missed day is forgiven', [0, 2, 3], 3, 1],
    ['two missed days in a row end it', [0, 3, 4], 1, 0],
    ['a second missed day within seven ends it', [0, 2, 4], 2, 1],
    ['a second missed day after a week is forgiven', [0, 2, 3, 4, 5, 6, 7, 9], 8, 2],
    ['practice of last week alone is none', [7, 8], 0, 0],
  ])('%s', (_title, daysAgo, days, forgiven) => {
    expect(streakOf(daysAgo)).toEqual({ days, forgiven_used: forgiven });
  });
});

describe('the plan', () => {
  test('suggests an amount a day once there is an exam date ahead, before the first answer too', async () => {
    const suggested = async () => (await read()).suggested_goal;
    expect(await suggested()).toBeNull();
    await changePlan(database.pool, quizzes.learner.id, { exam_date: await dayFromNow(60) });
    const far = await suggested();
    await changePlan(database.pool, quizzes.learner.id, { exam_date: await dayFromNow(30) });
    const near = await suggested();
    expect(far).toBeGreaterThan(0);
    expect(near).toBeGreaterThan(far!);
    await changePlan(database.pool, quizzes.learner.id, { exam_date: await dayFromNow(0) });
    expect(await suggested()).toBeNull();
  });

  test('keeps what is not given, and records when reminders were agreed to', async () => {
    const date = await dayFromNow(20);
    await changePlan(database.pool, quizzes.learner.id, { exam: 'statsborger', exam_date: date });
    await changePlan(database.pool, quizzes.learner.id, {
      daily_goal: 10,
      reminders: true,
      reminders_consent: 'reminders-no-2026-11',
    });
    expect(await read()).toMatchObject({
      exam: 'statsborger',
      exam_date: date,
      daily_goal: 10,
      reminders: true,
    });
    const { rows } = await database.pool.query(
      `select reminders_agreed_at is not null as recorded, reminders_consent as version
       from learner_plan`,
    );
    expect(rows).toEqual([{ recorded: true, version: 'reminders-no-2026-11' }]);
    await changePlan(database.pool, quizzes.learner.id, { exam_date: null });
    expect(await read()).toMatchObject({ exam_date: null, exam: 'statsborger' });
  });

  test('refuses reminders without the version of their text', async () => {
    await expect(
      changePlan(database.pool, quizzes.learner.id, { reminders: true }),
    ).rejects.toMatchObject({ code: 'consent_required' });
  });

  test.each([-1, 800])('refuses an exam date %i days from now', async (days) => {
    const date = await dayFromNow(days);
    await expect(
      changePlan(database.pool, quizzes.learner.id, { exam_date: date }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('how the exam went is asked once after its date, and kept without the account', async () => {
    await database.pool.query(
      `insert into learner_plan (account_id, exam_date)
       values ($1, (now() at time zone 'Europe/Oslo')::date - 1)`,
      [quizzes.learner.id],
    );
    expect(await read()).toMatchObject({ ask_outcome: true });
    const account = { id: quizzes.learner.id, language: 'no' };
    await answerOutcome(database.pool, account, true);
    await answerOutcome(database.pool, account, true);
    expect(await read()).toMatchObject({ ask_outcome: false });
    const { rows } = await database.pool.query('select * from exam_outcome');
    expect(rows).toHaveLength(1);
    expect(Object.keys(rows[0])).toEqual(['id', 'exam', 'passed', 'probability', 'told_in']);
  });

  test('the readiness beside it is that of the day of the exam, not of the day on which it is told', async () => {
    for (const topic of LARGE_TOPICS) await answer(topic, 10, (index) => index > 2);
    const { readiness } = await read();
    await database.pool.query(
      `update learner_question set last_answered_at = last_answered_at - interval '20 days'`,
    );
    await database.pool.query(
      `insert into learner_plan (account_id, exam_date)
       values ($1, (now() at time zone 'Europe/Oslo')::date - 20)`,
      [quizzes.learner.id],
    );
    expect((await read()).readiness!.probability).toBeLessThan(readiness!.probability);
    await answerOutcome(database.pool, { id: quizzes.learner.id, language: 'no' }, true);
    const { rows } = await database.pool.query('select probability from exam_outcome');
    expect(rows[0].probability).toBeCloseTo(readiness!.probability);
  });
});
