import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countEvents } from '@proveklar/tests/support/count-events.ts';
import { createQuestions } from '@proveklar/tests/support/factories.ts';
import { withQuizzes } from '@proveklar/tests/support/quizzes.ts';
import { logistic, rightProbability } from './ability.ts';
import { drawNewOf, drawToday } from './draw-today.ts';
import { emptyTables } from '@proveklar/tests/support/database.ts';

const quizzes = withQuizzes();
const { database } = quizzes;

beforeEach(async () => {
  await emptyTables(database.pool, 'quiz', 'outbox', 'learner_question', 'learner_plan');
});

const today = (count = 10) =>
  drawToday(database.pool, quizzes.learner.id, { language: 'no', count });

/** Answers the first questions of a drill: `true` right, `false` wrong. */
async function practise(...right: boolean[]): Promise<number[]> {
  const quiz = await quizzes.start({ questionCount: 12 });
  for (const [index, isRight] of right.entries()) {
    await quizzes.answer(quiz, index, isRight ? 'right' : 'wrong');
  }
  await countEvents(database.pool);
  return quiz.questions.slice(0, right.length).map(({ id }) => id);
}

/** Lets days go by since all answers. */
const laterBy = (days: number) =>
  database.pool.query(
    `update learner_question set last_answered_at = last_answered_at - make_interval(days => $1),
       due_on = due_on - $1::int`,
    [days],
  );

describe("today's practice", () => {
  test('a new learner gets new questions of every topic, none of them twice', async () => {
    const drawn = await today();
    expect(drawn).toHaveLength(10);
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(10);
    expect(new Set(drawn.map(({ topic }) => topic)).size).toBe(4);
  });

  test('due questions come first, then mistakes, then new ones', async () => {
    const [due, wrong] = await practise(true, false);
    await laterBy(30);
    const drawn = await today();
    expect(drawn.slice(0, 2).map(({ id }) => id)).toEqual([due, wrong]);
    expect(drawn.slice(2).map(({ timesShown }) => timesShown)).toEqual(Array(8).fill(0));
  });

  test('three of ten questions are repeated while there are new ones, first what brings most', async () => {
    const drawn = await practise(true, true, false, false, false);
    await laterBy(30);
    const ids = (await today()).map(({ id }) => id);
    expect(new Set(ids.slice(0, 3))).toEqual(new Set(drawn.slice(2)));
    expect(ids).not.toContain(drawn[0]);
    await practise(...Array<boolean>(12).fill(true));
    await laterBy(300);
    const others = (isValidated: boolean) =>
      database.pool.query(`update question set validated = $1 where topic <> 'Historie'`, [
        isValidated,
      ]);
    await others(false);
    expect((await today()).filter(({ timesShown }) => timesShown > 0)).toHaveLength(10);
    await others(true);
  });

  test('a question that excludes another is in the set with it only when there are too few others', async () => {
    const { pool } = database;
    const drawn = await practise(true, false, false);
    await laterBy(30);
    const [due, wrong] = drawn;
    const before = await pool.query<{ id: number; translation_group: string; excludes: string[] }>(
      'select id, translation_group, excludes from question',
    );
    await pool.query(`update question set translation_group = 'g-' || id where language = 'no'`);
    await pool.query('update question set excludes = $2 where id = $1', [wrong, [`g-${due!}`]]);
    const ids = (await today()).map(({ id }) => id);
    // Repeating what was wrong brings more.
    expect(ids).toContain(wrong);
    expect(ids).not.toContain(due);
    // All exclude each other, but a set has ten questions.
    await pool.query(`update question set excludes = array(
      select translation_group from question other where other.id <> question.id
        and translation_group is not null)`);
    const crowded = (await today()).map(({ id }) => id);
    expect(crowded).toHaveLength(10);
    expect(crowded.slice(0, 3)).toEqual(expect.arrayContaining(drawn.slice(0, 2)));
    expect(new Set(crowded).size).toBe(10);
    await pool.query(
      `update question set translation_group = given.translation_group, excludes = '{}'
       from unnest($1::bigint[], $2::text[]) as given (id, translation_group)
       where question.id = given.id`,
      [before.rows.map(({ id }) => id), before.rows.map((row) => row.translation_group)],
    );
  });

  test('a question that was answered right today does not return today', async () => {
    const [known] = await practise(true);
    const drawn = await today();
    expect(drawn.map(({ id }) => id)).not.toContain(known);
  });

  test('a question that was answered wrong returns in the next set, in another order', async () => {
    const [missed] = await practise(false);
    const session = await quizzes.start({ topic: 'today' });
    const again = session.questions.find(({ id }) => id === missed)!;
    const { rows } = await database.pool.query(
      'select times_shown from quiz_question where quiz_id = $1 and question_id = $2',
      [session.id, missed],
    );
    expect(rows).toEqual([{ times_shown: 1 }]);
    expect(again.options).toHaveLength(4);
  });

  test('what was wrong today has two places of the next set, once each, whatever else is to be repeated', async () => {
    const earlier = await practise(false, false, false, false);
    await laterBy(5);
    const quiz = await quizzes.start({ topic: 'Geografi' });
    for (const index of [0, 1, 2]) await quizzes.answer(quiz, index, 'wrong');
    await countEvents(database.pool);
    const missed = new Set(quiz.questions.slice(0, 3).map(({ id }) => id));
    const ids = (await today()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(10);
    expect(ids.filter((id) => missed.has(id))).toHaveLength(2);
    expect(ids.filter((id) => earlier.includes(id))).toHaveLength(1);
  });

  test('when only a mistake of today is left, it is drawn until it is right', async () => {
    let missed: number | undefined;
    for (const topic of ['Historie', 'Geografi', 'Arbeidsliv', 'Utdanning']) {
      const quiz = await quizzes.start({ topic, questionCount: 12 });
      missed ??= quiz.questions[0]!.id;
      for (const [index, { id }] of quiz.questions.entries()) {
        await quizzes.answer(quiz, index, id === missed ? 'wrong' : 'right');
      }
    }
    await countEvents(database.pool);
    for (const which of ['wrong', 'right'] as const) {
      const quiz = await quizzes.start({ topic: 'today' });
      expect(quiz.questions.map(({ id }) => id)).toEqual([missed]);
      await quizzes.answer(quiz, 0, which);
      await countEvents(database.pool);
    }
    expect(await today()).toEqual([]);
  });

  test('every question is due the day before the exam, however well it is known', async () => {
    const [known] = await practise(true);
    await laterBy(1);
    expect((await today()).map(({ id }) => id)).not.toContain(known);
    await database.pool.query(
      `insert into learner_plan (account_id, exam_date)
       values ($1, (now() at time zone 'Europe/Oslo')::date + 1)`,
      [quizzes.learner.id],
    );
    expect((await today())[0]).toMatchObject({ id: known });
  });

  test('an exam in the past makes nothing due', async () => {
    const [known] = await practise(true);
    await laterBy(3);
    await database.pool.query(
      `insert into learner_plan (account_id, exam_date)
       values ($1, (now() at time zone 'Europe/Oslo')::date - 1)`,
      [quizzes.learner.id],
    );
    expect((await today()).map(({ id }) => id)).not.toContain(known);
  });

  test('a service that has ended makes nothing due, one that ends tomorrow everything', async () => {
    const [known] = await practise(true);
    await laterBy(1);
    const endsAt = (moment: string) =>
      database.pool.query(`update account set service_expires_at = ${moment} where id = $1`, [
        quizzes.learner.id,
      ]);
    await endsAt(`now() + interval '1 day'`);
    expect((await today())[0]).toMatchObject({ id: known });
    await endsAt(`now() - interval '1 day'`);
    expect((await today()).map(({ id }) => id)).not.toContain(known);
    await endsAt(`now() + interval '30 days'`);
  });

  test('the least known topic gets the most new questions', async () => {
    for (const topic of ['Historie', 'Geografi', 'Arbeidsliv', 'Utdanning']) {
      const quiz = await quizzes.start({ topic, questionCount: 4 });
      for (const index of quiz.questions.keys()) {
        await quizzes.answer(quiz, index, topic === 'Historie' ? 'wrong' : 'right');
      }
    }
    await countEvents(database.pool);
    const counts = new Map<string, number>();
    for (const { topic, timesShown } of await today()) {
      if (timesShown === 0) counts.set(topic, (counts.get(topic) ?? 0) + 1);
    }
    const most = [...counts].toSorted((a, b) => b[1] - a[1])[0]!;
    expect(most[0]).toBe('Historie');
  });

  test('when everything has been answered right today, there is nothing left to draw', async () => {
    for (const topic of ['Historie', 'Geografi', 'Arbeidsliv', 'Utdanning']) {
      const quiz = await quizzes.start({ topic, questionCount: 12 });
      for (const index of quiz.questions.keys()) await quizzes.answer(quiz, index, 'right');
    }
    await countEvents(database.pool);
    expect(await today()).toEqual([]);
  });
});

describe('new questions', () => {
  /** So hard, in logits, is the question of each id. */
  let difficulties: Map<number, number>;

  beforeAll(async () => {
    for (const topic of ['Health', 'Law']) {
      await createQuestions(database.pool, { topic, language: 'en', count: 60 });
    }
    const { rows } = await database.pool.query<{ id: number; difficulty: number }>(
      `insert into question_difficulty (question_id, difficulty, answers)
       select id, (row_number() over (partition by topic order by id) - 30.5) / 10, 100
       from question where language = 'en'
       returning question_id as id, difficulty`,
    );
    difficulties = new Map(rows.map(({ id, difficulty }) => [id, difficulty]));
  });

  test.each([
    ['weak', -2],
    ['strong', 2],
  ])('a %s learner is right at 40 to 85 %% of them', async (_name, ability) => {
    const { pool } = database;
    await pool.query(
      `insert into learner_question
         (account_id, question_id, times_shown, times_right, first_correct, last_correct,
          last_answered_at, stability, difficulty, due_on)
       select $1, question_id, 1, (difficulty < $2)::int, difficulty < $2, difficulty < $2,
              now(), 5, 5, current_date + 10
       from question_difficulty where question_id % 3 = 0`,
      [quizzes.learner.id, ability],
    );
    const draw = { language: 'en', count: 10 };
    const { id: learnerId } = quizzes.learner;
    const drawn = [
      await drawToday(pool, learnerId, draw),
      await drawNewOf(pool, learnerId, { ...draw, topic: 'Law' }),
    ];
    for (const set of drawn) {
      const rights = set
        .filter(({ timesShown }) => timesShown === 0)
        .map(({ id }) => rightProbability(logistic(ability - difficulties.get(id)!), 1 / 4));
      expect(rights.length).toBeGreaterThan(6);
      const mean = rights.reduce((sum, right) => sum + right, 0) / rights.length;
      expect(mean).toBeGreaterThan(0.4);
      expect(mean).toBeLessThan(0.85);
    }
  });
});
