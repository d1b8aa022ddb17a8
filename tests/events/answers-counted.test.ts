import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rebuildAccount } from '@proveklar/services/learning/record-answers.ts';
import { allConsumed } from '#support/consumed.ts';
import { addDays, createQuestions } from '#support/factories.ts';
import { recordFigures } from '#support/figures.ts';
import { useTestGateway } from '#support/gateway.ts';
import { randomFor } from '#support/random.ts';
import { bySize, testSeed } from '#support/settings.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestWorkers } from '#support/workers.ts';
import { emptyTables } from '#support/database.ts';

/** Of fifty questions each. */
const QUIZZES = bySize({ quick: 6, large: 20, full: 200 });
const LEARNERS = 3;
const KILLS = bySize({ quick: 2, large: 5, full: 25 });

const gateway = useTestGateway();
// Before `useTestWorkers`: hooks run in reverse order, so the workers are stopped before tables are emptied.
afterEach(() =>
  emptyTables(
    gateway.deps.db,
    'quiz',
    'learner_question',
    'question_statistics',
    'outbox',
    'event_batch',
  ),
);
const workers = useTestWorkers();
let tokens: string[];

beforeAll(async () => {
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 60 });
  // Otherwise the background pass would repair what the events left out.
  await gateway.deps.db.query('update learning_rebuild set completed_at = now()');
  tokens = await Promise.all(
    Array.from({ length: LEARNERS }, async () => {
      const user = await gateway.identity.createPasswordUser();
      await addDays(gateway.deps.db, user, 30);
      return user.idToken;
    }),
  );
});

/** Answers a quiz of fifty questions through the API, every second one wrongly. */
async function answerQuiz(token = tokens[0]!): Promise<void> {
  const body = { topic: 'Historie', question_count: 50 };
  const { body: quiz } = await gateway.call('POST', '/quiz/start', { token, body });
  const answers = quiz.questions.map(
    (question: { uuid: string; options: string[] }, at: number) => {
      const which = at % 2 === 0 ? 'right' : 'wrong';
      const answer = question.options.find((option) => option.startsWith(which));
      return gateway.call('POST', `/quiz/${quiz.id}/answer`, {
        token,
        body: { question_id: question.uuid, answer },
      });
    },
  );
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
}

async function counted() {
  const { rows } = await gateway.deps.db.query(
    `select coalesce(sum(times_selected), 0)::int as selected,
            coalesce(sum(times_correct), 0)::int as correct,
            coalesce(sum(times_incorrect), 0)::int as incorrect
     from question_statistics`,
  );
  return rows[0];
}

/** How many rows of what the learner remembers differ from what the answers say. */
async function differing(): Promise<number> {
  const { rows } = await gateway.deps.db.query<{ id: string }>(
    'select distinct account_id as id from quiz',
  );
  let changed = 0;
  for (const { id } of rows) changed += await rebuildAccount(gateway.deps.db, id);
  return changed;
}

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  test('200 answers are 200 counted answers, and remembered', async () => {
    const { start } = await workers.on(gateway, redisUrl);
    start();
    for (let quiz = 0; quiz < 4; quiz += 1) await answerQuiz();
    await allConsumed(gateway.deps.db);
    expect(await counted()).toEqual({ selected: 200, correct: 100, incorrect: 100 });
    expect(await differing()).toBe(0);
  });

  test('200 answers are counted once when every job is delivered twice, and remembered', async () => {
    const { start, backend } = await workers.on(gateway, redisUrl);
    start();
    await answerQuiz();
    await allConsumed(gateway.deps.db);
    const queue = backend.openQueue('statistics');
    // Schedules emit events for other queues meanwhile; this queue has no handler for them.
    const { rows } = await gateway.deps.db.query(
      `select id, name from event_batch join event_delivery on batch_id = id
       where queue = 'statistics'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, name } of rows) {
      await queue.add(name, { batch_id: id }, { jobId: `again-${id}`, removeOnComplete: true });
    }
    const left = () => queue.getJobCountByTypes('waiting', 'active', 'delayed');
    await expect.poll(left).toBe(0);
    expect((await queue.getFailed()).map(({ failedReason }) => failedReason)).toEqual([]);
    expect(await counted()).toEqual({ selected: 50, correct: 25, incorrect: 25 });
    expect(await differing()).toBe(0);
    await queue.close();
  });

  test(`${QUIZZES * 50} answers are counted once, and remembered as a rebuild remembers them, when workers are killed at random and events come late, twice and out of order`, async () => {
    const seed = testSeed('these kills');
    const random = randomFor(seed, 'kills');
    const { db } = gateway.deps;
    const { start, backend } = await workers.on(gateway, redisUrl);
    const answer = async (from: number, to: number) => {
      for (let quiz = from; quiz < to; quiz += 1) await answerQuiz(tokens[quiz % tokens.length]);
    };
    const half = QUIZZES / 2;
    await answer(0, half);
    await db.query(
      `update quiz_answer
       set answered_at = answered_at - make_interval(days => abs(hashtext(quiz_id || $1)) % 40)`,
      [seed],
    );
    // An id holds the time at which the event goes out.
    await db.query(
      `update outbox set id = uuidv7(make_interval(secs => -(abs(hashtext(id || $1)) % 100000)))`,
      [seed],
    );
    const running = [start(), start()];
    const queue = backend.openQueue('statistics');
    for (let kill = 0; kill < KILLS; kill += 1) {
      const [from, to] = [kill, kill + 1].map((n) => half + Math.floor((n * half) / KILLS));
      const isAtOnce = random.chance(0.3);
      await Promise.all([answer(from!, to!), isAtOnce || nextBatch()]);
      const doomed = random.below(running.length);
      running[doomed]!.kill();
      await running[doomed]!.ended;
      running[doomed] = start();
      const { rows } = await db.query(
        `select batch_id, name from event_delivery join event_batch on id = batch_id
         where queue = 'statistics' order by hashtext(batch_id || $1) limit 5`,
        [seed + kill],
      );
      for (const { batch_id, name } of rows) {
        const jobId = `again-${kill}-${batch_id}`;
        await queue.add(name, { batch_id }, { jobId, removeOnComplete: true });
      }
    }
    await allConsumed(db);
    await queue.close();
    const right = QUIZZES * 25;
    recordFigures({ answers: QUIZZES * 50, kills: KILLS });
    expect(await counted()).toEqual({ selected: 2 * right, correct: right, incorrect: right });
    const kept = await remembered();
    await db.query('truncate learner_question');
    expect(await differing()).toBeGreaterThan(0);
    expect(kept).toEqual(await remembered());
  });
});

/** Waits until one more batch of answers is consumed. */
async function nextBatch(): Promise<void> {
  const consumed = async () => {
    const { rows } = await gateway.deps.db.query<{ batches: number }>(
      `select count(*)::int as batches from event_delivery join event_batch on id = batch_id
       where name = 'answer.submitted' and done_at is not null`,
    );
    return rows[0]!.batches;
  };
  const before = await consumed();
  await expect.poll(consumed, { interval: 5 }).toBeGreaterThan(before);
}

/** All that learners remember. */
async function remembered() {
  const { rows } = await gateway.deps.db.query(
    `select account_id, question_id, times_shown, times_right, first_correct, last_correct,
       last_answered_at::text as last_answered_at, stability, difficulty, due_on::text as due_on
     from learner_question order by account_id, question_id`,
  );
  return rows;
}
