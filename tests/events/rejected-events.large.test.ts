import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { emit } from '@proveklar/services/events/outbox.ts';
import { retryRejected } from '@proveklar/services/events/rejected-events.ts';
import type { QueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { allConsumed } from '#support/consumed.ts';
import { createQuestions } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestWorkers } from '#support/workers.ts';

const GOOD = 200;
const QUESTIONS = 20;

const gateway = useTestGateway();
const workers = useTestWorkers();
let questions: number[];

beforeAll(async () => {
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: QUESTIONS });
  const rows = await query<{ id: number }>('select id from question order by id');
  questions = rows.map(({ id }) => id);
});

beforeEach(async () => {
  await query(
    'truncate question_statistics, outbox, event_batch, rejected_event, audit_entry cascade',
  );
  await allow();
});

const query = async <R extends object>(text: string, ...values: unknown[]): Promise<R[]> =>
  (await gateway.deps.db.query<R>(text, values)).rows;

/** Emits 200 answers, the same number for each question; with `bad` they become one batch. */
async function emitAnswers(bad?: object): Promise<void> {
  await withTransaction(gateway.deps.db, async (tx) => {
    for (let n = 0; n < GOOD; n += 1) {
      if (bad && n === GOOD / 2) {
        const text = `insert into outbox (name, payload) values ('answer.submitted', $1)`;
        await tx.query(text, [bad]);
      }
      const question_id = questions[n % QUESTIONS]!;
      await emit(tx, 'answer.submitted', { quiz_id: randomUUID(), question_id, correct: true });
    }
  });
}

/** The counted answers of each question. */
async function counted(): Promise<number[]> {
  const rows = await query<{ n: number }>(
    'select times_correct as n from question_statistics order by question_id',
  );
  return rows.map(({ n }) => n);
}

const rejected = () =>
  query(
    'select queue, name, payload, reason, sqlstate, attempts, state from rejected_event order by id',
  );

/** Delivers the consumed batches again, as the relay does for a queue that has lost its jobs. */
async function deliverAgain(backend: QueueBackend): Promise<void> {
  const queue = backend.openQueue('statistics');
  for (const { id } of await query<{ id: string }>(
    `select id from event_batch where name = 'answer.submitted'`,
  )) {
    await queue.add('answer.submitted', { batch_id: id }, { jobId: `again-${randomUUID()}` });
  }
  const left = () => queue.getJobCountByTypes('waiting', 'active', 'delayed');
  await expect.poll(left).toBe(0);
  expect(await queue.getFailedCount()).toBe(0);
  await queue.close();
}

/** Lets the statistics refuse a question, as a constraint of a later version might. */
async function refuse(questionId: number): Promise<void> {
  await query(
    `alter table question_statistics add constraint poison check (question_id <> ${questionId})`,
  );
}
const allow = () => query('alter table question_statistics drop constraint if exists poison');

const even = Array.from({ length: QUESTIONS }, () => GOOD / QUESTIONS);

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  test('an invalid payload among 200 valid ones is rejected alone', async () => {
    const bad = { quiz_id: randomUUID(), question_id: questions[0], correct: 'Kari' };
    await emitAnswers(bad);
    const { start, backend, readLogs } = await workers.on(gateway, redisUrl);
    start();
    await allConsumed(gateway.deps.db);
    expect(await counted()).toEqual(even);
    const rejection = {
      queue: 'statistics',
      name: 'answer.submitted',
      payload: bad,
      reason: 'payload/correct must be boolean',
      sqlstate: null,
      attempts: 1,
      state: 'open',
    };
    expect(await rejected()).toEqual([rejection]);

    await deliverAgain(backend);
    expect(await counted()).toEqual(even);
    expect(await rejected()).toEqual([rejection]);
    expect(await readLogs()).toContain('"msg":"events rejected"');
    expect(await readLogs()).not.toContain('Kari');
  });

  test('an event that the handler fails on is found by halving the batch, and counted after a retry', async () => {
    await refuse(questions[3]!);
    await emitAnswers();
    const { start, backend } = await workers.on(gateway, redisUrl);
    start();
    await allConsumed(gateway.deps.db);
    await deliverAgain(backend);
    const without = even.slice(0, -1);
    expect(await counted()).toEqual(without);
    const refused = await query<{ id: number; sqlstate: string; reason: string }>(
      'select id, sqlstate, reason from rejected_event',
    );
    expect(refused).toHaveLength(GOOD / QUESTIONS);
    for (const { sqlstate, reason } of refused) {
      expect([sqlstate, reason]).toEqual(['23514', expect.stringContaining('"poison"')]);
    }

    await allow();
    const ids = refused.map(({ id }) => id);
    const retry = () => retryRejected(gateway.deps.db, { ids, by: 'operator' });
    const outcomes = await Promise.allSettled([retry(), retry(), retry()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await allConsumed(gateway.deps.db);
    await deliverAgain(backend);
    expect(await counted()).toEqual(even);
    expect(await query('select distinct state, closed_by from rejected_event')).toEqual([
      { state: 'retried', closed_by: 'operator' },
    ]);
  });

  test('a worker that is killed while it halves a batch leaves nothing behind', async () => {
    await refuse(questions[0]!);
    await emitAnswers();
    await query('insert into question_statistics (question_id) values ($1)', questions.at(-1));
    const blocker = await gateway.deps.db.connect();
    try {
      // The refused question comes first, so only halves without it reach this row.
      await blocker.query('begin');
      await blocker.query('select from question_statistics for update');
      const { start } = await workers.on(gateway, redisUrl);
      const doomed = start();
      const halving = () =>
        query<{ pid: number }>(
          `select pid from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'
             and exists (select from pg_locks where pg_locks.pid = pg_stat_activity.pid
                         and relation = 'event_delivery'::regclass and mode = 'RowExclusiveLock')`,
        );
      await expect.poll(halving).toHaveLength(1);
      const [{ pid } = { pid: 0 }] = await halving();
      doomed.kill();
      await doomed.ended;
      await blocker.query('rollback');
      const alive = () => query('select from pg_stat_activity where pid = $1', pid);
      await expect.poll(alive).toEqual([]);
      expect(await rejected()).toEqual([]);
      start();
      await allConsumed(gateway.deps.db);
    } finally {
      blocker.release();
    }
    expect(await counted()).toEqual(even.slice(0, -1));
    expect(await rejected()).toHaveLength(GOOD / QUESTIONS);
  });

  test('an event alone in its job is rejected after its last attempt', async () => {
    const payload = { quiz_id: randomUUID(), question_id: 1e20, correct: true };
    const batch = randomUUID();
    // As the relay adds it, but with two attempts.
    await query(
      `with batch as (insert into event_batch (id, name, events) values ($1, 'answer.submitted', $2))
       insert into event_delivery (batch_id, queue, published_at) values ($1, 'statistics', now())`,
      batch,
      JSON.stringify([{ id: randomUUID(), payload }]),
    );
    const { start, backend, readLogs } = await workers.on(gateway, redisUrl);
    start();
    const queue = backend.openQueue('statistics');
    const twice = { jobId: batch, attempts: 2, backoff: { type: 'fixed', delay: 1 } };
    await queue.add('answer.submitted', { batch_id: batch }, twice);
    await queue.close();
    await allConsumed(gateway.deps.db);
    expect(await rejected()).toMatchObject([
      { payload, sqlstate: '22003', reason: 'value "…" is out of range for type bigint' },
    ]);
    const failed = (await readLogs()).split('\n').filter((line) => line.includes('"failed"'));
    expect(failed).toHaveLength(1);
  });
});

test('a rejected event that fails again after a retry is open again', async () => {
  await refuse(questions[0]!);
  await emitAnswers();
  const { start } = await workers.on(gateway, undefined);
  start();
  await allConsumed(gateway.deps.db);
  const [{ id } = { id: 0 }] = await query<{ id: number }>('select id from rejected_event limit 1');
  await retryRejected(gateway.deps.db, { ids: [id], by: 'operator' });
  // An invalid payload is not retried, so this does not take the minute of a backoff.
  await query(`update event_batch set events = jsonb_set(events, '{0,payload,correct}', '1')
               where id = (select batch_id from rejected_event where id = ${id})`);
  await allConsumed(gateway.deps.db);
  expect(
    await query('select state, attempts, reason from rejected_event where id = $1', id),
  ).toEqual([{ state: 'open', attempts: 2, reason: 'payload/correct must be boolean' }]);
  expect(await query('select from rejected_event')).toHaveLength(GOOD / QUESTIONS);
});
