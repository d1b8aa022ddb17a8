import { beforeEach, describe, expect, test } from 'vitest';
import { PRACTICE_TEST } from '@proveklar/contract/quiz-topics.ts';
import { limitsOf } from '@proveklar/services/limits/limits.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { WIDE_LIMITS } from '@proveklar/tests/support/limits.ts';
import { withQuizzes, type Session } from '@proveklar/tests/support/quizzes.ts';
import { endQuiz } from './end-quiz.ts';
import { listOpenQuizzes } from './quiz-history.ts';
import { startQuiz } from './start-quiz.ts';

const fixture = withQuizzes();
const { database, answer, waiting } = fixture;

let learner: Awaited<ReturnType<typeof createLearner>>;
beforeEach(async () => {
  learner = await createLearner(database.pool);
});

/** Starts a quiz under the limits of production. */
const start = (topic = 'Historie') =>
  startQuiz(
    {
      db: database.pool,
      limits: limitsOf({ ...WIDE_LIMITS, QUIZZES_PER_ACCOUNT: 60, OPEN_DRILLS_PER_ACCOUNT: 5 }),
    },
    learner.id,
    {
      topic,
      language: 'no',
      instantFeedback: true,
      questionCount: 10,
      exam: 'samfunnskunnskap',
    },
  );
const answered = async () => {
  const quiz = await start();
  await answer(quiz, 0, 'right', learner.uid);
  return quiz;
};
const idsOf = (quizzes: { id: string }[]) => quizzes.map(({ id }) => id);
const open = async () => idsOf(await listOpenQuizzes(database.pool, learner.id));
const refusalOf = (starting: Promise<Session>) =>
  starting.then(
    () => null,
    (error: { code: string; details: unknown }) => ({ code: error.code, details: error.details }),
  );

/** Inserts cancelled drills that were started some minutes ago. */
const insertStarted = (count: number, minutes: number) =>
  database.pool.query(
    `insert into quiz (account_id, kind, topic, language, instant_feedback, state, started_at, ended_at,
       total)
     select $1, 'drill', 'Historie', 'no', true, 'cancelled',
       now() - make_interval(mins => $3), now(), 10
     from generate_series(1, $2)`,
    [learner.id, count, minutes],
  );

describe('open drills', () => {
  test('a sixth drill replaces the oldest one without an answer', async () => {
    const first = await answered();
    const second = await start();
    const third = await start();
    const fourth = await answered();
    const fifth = await start();
    const sixth = await start();
    expect((await open()).toSorted()).toEqual(
      idsOf([first, third, fourth, fifth, sixth]).toSorted(),
    );
    const { rows } = await database.pool.query('select state from quiz where id = $1', [second.id]);
    expect(rows).toEqual([{ state: 'cancelled' }]);
  });

  test('a sixth drill is refused while all five have answers, with the list of them', async () => {
    const drills: Session[] = [];
    for (let n = 0; n < 5; n += 1) drills.push(await answered());
    expect(await refusalOf(start('Geografi'))).toEqual({
      code: 'too_many_open',
      details: {
        quizzes: drills.toReversed().map(({ id, started_at }) => ({
          id,
          topic: 'Historie',
          started_at,
          answered: 1,
          questions: 10,
          seconds_left: null,
        })),
      },
    });
    expect(await open()).toHaveLength(5);
    await endQuiz(database.pool, learner.id, drills[2]!.id);
    expect(await start('Geografi')).toMatchObject({ topic: 'Geografi', state: 'open' });
  });

  test('practice tests are never cancelled or refused, and do not count', async () => {
    const tests = [await start(PRACTICE_TEST), await start(PRACTICE_TEST)];
    for (let n = 0; n < 5; n += 1) await answered();
    tests.push(await start(PRACTICE_TEST));
    expect(await refusalOf(start())).toMatchObject({ code: 'too_many_open' });
    expect(await open()).toEqual(expect.arrayContaining(idsOf(tests)));
  });

  test('twenty concurrent starts leave five open', async () => {
    await Promise.all(Array.from({ length: 20 }, () => start()));
    expect(await open()).toHaveLength(5);
  });

  test('a drill whose answer is being stored is kept, and another one is cancelled', async () => {
    const [oldest, second] = [await start(), await start()];
    for (let n = 0; n < 3; n += 1) await start();
    const client = await database.pool.connect();
    try {
      // The same lock as the statement that stores an answer.
      await client.query('begin');
      await client.query('select from quiz where id = $1 for share', [oldest.id]);
      const starting = start();
      await expect.poll(waiting).toBe(1);
      const [{ uuid, options }] = oldest.questions as [Session['questions'][number]];
      await client.query(
        `insert into quiz_answer (quiz_id, question_id, answer, correct)
         select $1, id, $3, true from question where uuid = $2`,
        [oldest.id, uuid, options[0]],
      );
      await client.query('commit');
      await starting;
    } finally {
      client.release();
    }
    const left = await open();
    expect(left).toHaveLength(5);
    expect(left).toContain(oldest.id);
    expect(left).not.toContain(second.id);
  });
});

describe('the limit of quizzes an hour', () => {
  test('refuses the sixty-first quiz until the first is an hour old', async () => {
    await insertStarted(59, 40);
    const last = await start();
    const refused = await refusalOf(start());
    expect(refused).toMatchObject({ code: 'rate_limited' });
    const { retry_after_s: wait } = refused!.details as { retry_after_s: number };
    expect(wait).toBeGreaterThan(1_100);
    expect(wait).toBeLessThanOrEqual(1_200);
    expect(await refusalOf(start(PRACTICE_TEST))).toMatchObject({ code: 'rate_limited' });
    expect(await open()).toEqual([last.id]);
    await database.pool.query(
      `update quiz set started_at = started_at - interval '20 minutes' where account_id = $1`,
      [learner.id],
    );
    expect(await start()).toMatchObject({ state: 'open' });
  });

  test('lets only one of three concurrent starts take the last place', async () => {
    await insertStarted(59, 10);
    const outcomes = await Promise.all([
      refusalOf(start()),
      refusalOf(start()),
      refusalOf(start()),
    ]);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  });

  test('counts each account separately', async () => {
    await insertStarted(60, 10);
    expect(await refusalOf(start())).toMatchObject({ code: 'rate_limited' });
    learner = await createLearner(database.pool);
    expect(await start()).toMatchObject({ state: 'open' });
  });
});
