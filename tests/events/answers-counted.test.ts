import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { allConsumed } from '#support/consumed.ts';
import { addDays, createQuestions } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { bySize } from '#support/settings.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestWorkers } from '#support/workers.ts';

const KILLS = bySize({ quick: 2, large: 4, full: 4 });

const gateway = useTestGateway();
// Before the workers are asked for: what is asked for last ends first, and a table is not emptied under them.
afterEach(() => gateway.deps.db.query('truncate question_statistics, outbox, event_batch cascade'));
const workers = useTestWorkers();
let token: string;

beforeAll(async () => {
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 60 });
  const user = await gateway.identity.createPasswordUser();
  await addDays(gateway.deps.db, user, 30);
  token = user.idToken;
});

/** Answers a quiz of fifty questions through the API, every second one wrong. */
async function answerQuiz(): Promise<void> {
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

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  test('200 answers are 200 counted answers', async () => {
    const { start } = await workers.on(gateway, redisUrl);
    start();
    for (let quiz = 0; quiz < 4; quiz += 1) await answerQuiz();
    await allConsumed(gateway.deps.db);
    expect(await counted()).toEqual({ selected: 200, correct: 100, incorrect: 100 });
  });

  test('also when every job comes a second time', async () => {
    const { start, backend } = await workers.on(gateway, redisUrl);
    start();
    await answerQuiz();
    await allConsumed(gateway.deps.db);
    const queue = backend.openQueue('statistics');
    const { rows } = await gateway.deps.db.query('select id, name from event_batch');
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, name } of rows) {
      await queue.add(name, { batch_id: id }, { jobId: `again-${id}`, removeOnComplete: true });
    }
    const left = () => queue.getJobCountByTypes('waiting', 'active', 'delayed');
    await expect.poll(left).toBe(0);
    expect(await queue.getFailedCount()).toBe(0);
    expect(await counted()).toEqual({ selected: 50, correct: 25, incorrect: 25 });
    await queue.close();
  });

  test('also when workers are killed in between', async () => {
    const { start } = await workers.on(gateway, redisUrl);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const doomed = start();
      await answerQuiz();
      // Killed once it has begun to count: in the middle of whatever it is doing.
      await somethingConsumed();
      doomed.kill();
      await doomed.ended;
    }
    start();
    await allConsumed(gateway.deps.db);
    const half = 25 * KILLS;
    expect(await counted()).toEqual({ selected: 2 * half, correct: half, incorrect: half });
  });
});

async function somethingConsumed(): Promise<void> {
  const consumed = async () => {
    const { rows } = await gateway.deps.db.query(
      `select exists (select from event_delivery
         where done_at > clock_timestamp() - interval '500 milliseconds') as consumed`,
    );
    return rows[0].consumed as unknown;
  };
  await expect.poll(consumed, { interval: 5 }).toBe(true);
}
