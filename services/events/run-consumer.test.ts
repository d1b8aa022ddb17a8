import { randomUUID } from 'node:crypto';
import { UnrecoverableError } from 'bullmq';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openQueueBackend, prepareQueueBackend, type QueueBackend } from './queue-backend.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { type Consumer, type Handler, RetryLater, runConsumer } from './run-consumer.ts';

// Errors that a handler throws for some events of a batch, on a real queue.
const ATTEMPTS = 3;
const COUNT = 20;
const BAD = [3, 13];

const database = useTestDatabase();
let backend: QueueBackend;

beforeAll(async () => {
  await prepareQueueBackend(database.url);
  backend = openQueueBackend(database.url);
  await database.pool.query('create table applied (n int)');
});
afterAll(() => backend.close());
beforeEach(() => emptyTables(database.pool, 'event_batch', 'rejected_event', 'applied'));

const query = async <R extends object>(text: string, ...values: unknown[]): Promise<R[]> =>
  (await database.pool.query<R>(text, values)).rows;

const numberOf = ({ payload }: { payload: { question_id: number } }) => payload.question_id;

/** Writes the numbers of its events, then throws when one of them is in `bad`. */
const failingOn =
  (bad: readonly number[], error: () => Error): Handler<'answer.submitted'> =>
  (events, { once }) =>
    once(async (tx) => {
      const numbers = events.map(numberOf);
      await tx.query('insert into applied select unnest($1::int[])', [numbers]);
      if (numbers.some((n) => bad.includes(n))) throw error();
    });

interface Outcome {
  /** Numbers of the events that were applied. */
  applied: number[];
  rejected: { n: number; reason: string; sqlstate: string | null }[];
  /** How often the handler got the whole batch. */
  wholes: number;
}

/** Delivers one batch of events 0 to `COUNT - 1` to a worker, and waits for the end of the job. */
async function deliver(handle: Handler<'answer.submitted'>): Promise<Outcome> {
  const batch = randomUUID();
  const events = Array.from({ length: COUNT }, (_, n) => ({
    id: randomUUID(),
    payload: { quiz_id: randomUUID(), question_id: n, correct: true },
  }));
  await query(
    `with batch as (insert into event_batch (id, name, events) values ($1, 'answer.submitted', $2))
     insert into event_delivery (batch_id, queue, published_at) values ($1, 'statistics', now())`,
    batch,
    JSON.stringify(events),
  );
  let wholes = 0;
  await runJob(batch, (part, delivery) => {
    if (part.length === COUNT) wholes += 1;
    return handle(part, delivery);
  });
  const applied = await query<{ n: number }>('select n from applied order by n');
  const rejected = await query<Outcome['rejected'][number]>(
    `select (payload->>'question_id')::int as n, reason, sqlstate from rejected_event order by n`,
  );
  return { applied: applied.map(({ n }) => n), rejected, wholes };
}

/** Gives a worker the job of a batch, and returns how it ends. */
async function runJob(
  batch: string,
  handle: Handler<'answer.submitted'>,
): Promise<'completed' | 'failed'> {
  const unused = () => Promise.reject(new Error('There is no such event'));
  const consumer: Consumer<'statistics'> = {
    queue: 'statistics',
    concurrency: 1,
    handlers: {
      'answer.submitted': handle,
      'quiz.started': unused,
      'quiz.ended': unused,
      'feedback.reported': unused,
      'questions.merged': unused,
    },
  };
  const log = pino({ level: 'silent' });
  const stopping = new AbortController().signal;
  const worker = runConsumer({ db: database.pool, backend, stopping, log }, consumer);
  const queue = backend.openQueue('statistics');
  try {
    const ended = new Promise<'completed' | 'failed'>((resolve) => {
      worker.on('completed', () => resolve('completed'));
      worker.on('failed', (job, error) => {
        const isLast = job?.attemptsMade === ATTEMPTS || error instanceof UnrecoverableError;
        if (isLast) resolve('failed');
      });
    });
    const options = { jobId: batch, attempts: ATTEMPTS, backoff: { type: 'fixed', delay: 1 } };
    await queue.add('answer.submitted', { batch_id: batch }, options);
    return await ended;
  } finally {
    await worker.close();
    await queue.close();
  }
}

const all = Array.from({ length: COUNT }, (_, n) => n);
const good = all.filter((n) => !BAD.includes(n));

test.each([
  ['a TypeError', () => new TypeError('Cannot read properties of null'), 'TypeError: Cannot read'],
  [
    'invalid JSON, whose text is not recorded',
    () => new SyntaxError('Unexpected token \'K\', "Kari" is not valid JSON'),
    'SyntaxError: Unexpected token \'K\', "…" is not valid JSON',
  ],
  ['an assertion', () => new Error('There is no such quiz'), 'Error: There is no such quiz'],
])(
  'rejects events that our code fails on with %s after the last attempt',
  async (_, error, reason) => {
    const { applied, rejected, wholes } = await deliver(failingOn(BAD, error));
    expect(wholes).toBe(ATTEMPTS);
    expect(applied).toEqual(good);
    expect(rejected).toEqual(
      BAD.map((n) => ({ n, reason: expect.stringContaining(reason), sqlstate: null })),
    );
  },
);

test.each([
  ['our code fails on every event', all, () => new TypeError('Cannot read properties of null')],
  ['a network fails', BAD, () => new TypeError('fetch failed', { cause: new Error('no route') })],
  ['a system fails', BAD, () => Object.assign(new Error('no'), { code: 'ECONNREFUSED' })],
])('rejects and applies nothing when %s', async (_, bad, error) => {
  expect(await deliver(failingOn(bad, error))).toEqual({
    applied: [],
    rejected: [],
    wholes: ATTEMPTS,
  });
});

test('a batch that is requeued with RetryLater is not split', async () => {
  let calls = 0;
  const { applied, rejected, wholes } = await deliver((events, delivery) => {
    calls += 1;
    const later = failingOn(BAD, () => new RetryLater(1));
    return calls <= ATTEMPTS ? later(events, delivery) : failingOn([], Error)(events, delivery);
  });
  expect([applied, rejected, wholes]).toEqual([all, [], ATTEMPTS + 1]);
});

test('a job whose batch is not in the database ends, so that it is not retried for ever', async () => {
  expect(await runJob(randomUUID(), failingOn([], Error))).toBe('completed');
});
