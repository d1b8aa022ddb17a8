import { beforeEach, describe, expect, test } from 'vitest';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { countEvents, regradeAll } from '@proveklar/tests/support/count-events.ts';
import { withQuizzes, type Session } from '@proveklar/tests/support/quizzes.ts';
import { randomFor } from '@proveklar/tests/support/random.ts';
import { withTransaction } from '#database/pool.ts';
import { endQuiz } from '#quiz/end-quiz.ts';
import { correctKey } from '#quiz/regrade.ts';
import { forgetDeletedLearning } from './personal-data.ts';
import { rebuildAccount, recordAnswers } from './record-answers.ts';
import { rebuildNext } from './rebuild.ts';
import { emptyTables } from '@proveklar/tests/support/database.ts';

const quizzes = withQuizzes();
const { database } = quizzes;

beforeEach(async () => {
  await emptyTables(database.pool, 'quiz', 'outbox', 'learner_question');
});

const COLUMNS = `account_id, question_id, times_shown, times_right, first_correct, last_correct,
  last_answered_at, stability, difficulty, due_on::text as due_on`;

const remembered = async () => {
  const { rows } = await database.pool.query(
    `select ${COLUMNS} from learner_question order by account_id, question_id`,
  );
  return rows;
};

/** What the answers say, computed from nothing. */
const rebuilt = async () => {
  const kept = await remembered();
  await database.pool.query('truncate learner_question');
  await rebuildAccount(database.pool, quizzes.learner.id);
  const fresh = await remembered();
  return { kept, fresh };
};

type Event = { quiz_id: string; question_id: number };

const record = (events: readonly Event[]) =>
  withTransaction(database.pool, (tx) => recordAnswers(tx, events));

const answered = async (): Promise<Event[]> => {
  const { rows } = await database.pool.query(
    'select quiz_id, question_id from quiz_answer order by answered_at',
  );
  return rows;
};

/** Moves a quiz and its answers into the past. */
const daysAgo = (quiz: Session, days: number) =>
  database.pool.query(
    `update quiz_answer set answered_at = answered_at - make_interval(days => $2) where quiz_id = $1`,
    [quiz.id, days],
  );

describe('what a learner remembers', () => {
  test('a wrong answer is due on the same day, a right one three weeks later', async () => {
    const quiz = await quizzes.start();
    await quizzes.answer(quiz, 0, 'right');
    await quizzes.answer(quiz, 1, 'wrong');
    await record(await answered());
    const { rows } = await database.pool.query(
      `select last_correct, times_shown,
              due_on - (last_answered_at at time zone 'Europe/Oslo')::date as days
       from learner_question order by last_correct`,
    );
    expect(rows).toEqual([
      { last_correct: false, times_shown: 1, days: 0 },
      { last_correct: true, times_shown: 1, days: 21 },
    ]);
  });

  test('a right answer after more days makes the interval longer', async () => {
    const intervals = [];
    for (const ago of [30, 27, 18]) {
      const quiz = await quizzes.start();
      for (const index of quiz.questions.keys()) await quizzes.answer(quiz, index, 'right');
      await daysAgo(quiz, ago);
      await record(await answered());
      const { rows } = await database.pool.query(
        `select max(due_on - (last_answered_at at time zone 'Europe/Oslo')::date) as days
         from learner_question where times_shown = (select max(times_shown) from learner_question)`,
      );
      intervals.push(rows[0].days);
    }
    expect(intervals).toEqual(intervals.toSorted((a, b) => a - b));
    expect(intervals.at(-1)).toBeGreaterThan(10);
  });

  test('answers of a drill without instant feedback count when it has ended', async () => {
    const quiz = await quizzes.start({ instantFeedback: false });
    await quizzes.answer(quiz, 0, 'right');
    await countEvents(database.pool);
    expect(await remembered()).toEqual([]);
    await endQuiz(database.pool, quizzes.learner.id, quiz.id);
    await countEvents(database.pool);
    expect(await remembered()).toHaveLength(1);
  });
});

describe('any order of events ends with what a rebuild computes', () => {
  test.each([1, 2, 3])('events late, twice and by two workers at once (seed %i)', async (seed) => {
    const { next: random } = randomFor(seed, 'events');
    for (let round = 0; round < 8; round += 1) {
      const quiz = await quizzes.start({ questionCount: 10 });
      for (const index of quiz.questions.keys()) {
        await quizzes.answer(quiz, index, random() < 0.6 ? 'right' : 'wrong');
      }
      await daysAgo(quiz, Math.floor(random() * 30));
    }
    const events = await answered();
    const shuffled = [...events, ...events.filter(() => random() < 0.3)]
      .map((event) => ({ event, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ event }) => event);
    const batches = [];
    while (shuffled.length > 0) batches.push(shuffled.splice(0, 1 + Math.floor(random() * 12)));
    for (let index = 0; index < batches.length; index += 2) {
      await Promise.all(batches.slice(index, index + 2).map(recordWithRetry));
    }
    const { kept, fresh } = await rebuilt();
    expect(kept.length).toBeGreaterThan(10);
    expect(kept).toEqual(fresh);
  });

  test('a corrected key', async () => {
    const quiz = await quizzes.start();
    for (const index of quiz.questions.keys()) await quizzes.answer(quiz, index, 'right');
    await countEvents(database.pool);
    const question = quiz.questions[3]!;
    const { rows } = await database.pool.query(
      'select version, incorrect from question where id = $1',
      [question.id],
    );
    await correctKey(database.pool, {
      question: question.id,
      version: rows[0].version,
      answer: rows[0].incorrect[0],
      actor: 'admin@example.no',
    });
    await regradeAll(database.pool);
    await countEvents(database.pool);
    const { kept, fresh } = await rebuilt();
    expect(kept.find(({ question_id }) => question_id === question.id)).toMatchObject({
      first_correct: false,
      last_correct: false,
      times_right: 0,
    });
    expect(kept).toEqual(fresh);
  });
});

/** As a job that is tried again: two batches may lock the same rows in opposite order. */
async function recordWithRetry(batch: readonly Event[]): Promise<void> {
  try {
    await record(batch);
  } catch (error) {
    if ((error as { code?: string }).code !== '40P01') throw error;
    await recordWithRetry(batch);
  }
}

/** Runs the pass that is due an hour after the first one. */
async function laterPass(): Promise<void> {
  await database.pool.query(
    `update learning_rebuild set completed_at = now() - interval '2 hours'`,
  );
  while (await rebuildNext(database.pool)) {
    // The next accounts.
  }
}

describe('the rebuild', () => {
  test('fills what answers from before the migration teach, account by account', async () => {
    const quiz = await quizzes.start();
    for (const index of quiz.questions.keys()) await quizzes.answer(quiz, index, 'right');
    await database.pool.query(
      `update learning_rebuild
       set last_account_id = null, quizzes_since = null, completed_at = null`,
    );
    while (await rebuildNext(database.pool)) {
      // The next accounts.
    }
    expect(await remembered()).toHaveLength(quiz.questions.length);
  });

  test('finds answers that a worker of the previous release counted without this', async () => {
    const quiz = await quizzes.start();
    await quizzes.answer(quiz, 0, 'right');
    await laterPass();
    expect(await remembered()).toHaveLength(1);
  });

  test('finds such an answer also when a newer one was counted since', async () => {
    const [older, newer] = [await quizzes.start(), await quizzes.start()];
    for (const quiz of [older, newer]) {
      for (const index of quiz.questions.keys()) await quizzes.answer(quiz, index, 'right');
    }
    const events = await answered();
    await record(events.filter(({ quiz_id }) => quiz_id === newer.id));
    await laterPass();
    const { kept, fresh } = await rebuilt();
    expect(kept).toEqual(fresh);
  });

  test('a later pass reads no memory of accounts whose answers are all counted', async () => {
    const quiz = await quizzes.start();
    await quizzes.answer(quiz, 0, 'right');
    await record(await answered());
    await database.pool.query('update learner_question set stability = 7');
    await laterPass();
    const { rows } = await database.pool.query('select stability from learner_question');
    expect(rows).toEqual([{ stability: 7 }]);
  });

  test('changes nothing where nothing differs', async () => {
    const quiz = await quizzes.start();
    await quizzes.answer(quiz, 0, 'right');
    await record(await answered());
    expect(await rebuildAccount(database.pool, quizzes.learner.id)).toBe(0);
  });
});

test('the daily sweep removes only what was written for deleted accounts', async () => {
  const quiz = await quizzes.start();
  await quizzes.answer(quiz, 0, 'right');
  await record(await answered());
  const deleted = await createLearner(database.pool);
  await database.pool.query(`update account set state = 'deleted' where id = $1`, [deleted.id]);
  await database.pool.query(
    `insert into learner_question
     select (jsonb_populate_record(known, jsonb_build_object('account_id', $1::uuid))).*
     from learner_question known`,
    [deleted.id],
  );
  expect(await remembered()).toHaveLength(2);
  await withTransaction(database.pool, forgetDeletedLearning);
  expect(await remembered()).toMatchObject([{ account_id: quizzes.learner.id }]);
});
