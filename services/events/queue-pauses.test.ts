import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { queueBackends } from '@proveklar/tests/support/shared.ts';
import { withTransaction } from '#database/pool.ts';
import { CANARY, type QueueName, QUEUES } from './catalogue.ts';
import { emit } from './outbox.ts';
import {
  countJobs,
  type JobQueue,
  openQueueBackend,
  prepareQueueBackend,
} from './queue-backend.ts';
import { sendCanaries } from './queue-health.ts';
import { readPausedSeconds, readPauses, setQueuesPaused } from './queue-pauses.ts';
import { startRelay } from './relay.ts';

const database = useTestDatabase();
const BY = 'kari@example.no';

beforeEach(() => emptyTables(database.pool, 'queue_pause', 'audit_entry', 'outbox', 'event_batch'));

const decide = (queue: string, paused: boolean) =>
  setQueuesPaused(database.pool, { names: [queue], paused, by: BY });

const audited = async () =>
  (await database.pool.query('select actor, action, subject from audit_entry order by id')).rows;

test('a decision is audited once, with who and when, until the audit log forgets the name', async () => {
  const { pool } = database;
  expect(await readPauses(pool)).toEqual([]);
  for (const paused of [true, true, false, true]) await decide('mail', paused);
  expect(await audited()).toEqual([
    { actor: BY, action: 'queue.paused', subject: 'mail' },
    { actor: BY, action: 'queue.resumed', subject: 'mail' },
    { actor: BY, action: 'queue.paused', subject: 'mail' },
  ]);
  expect(await readPauses(pool)).toEqual([
    { queue: 'mail', paused: true, at: expect.any(Date), by: BY },
  ]);
  await pool.query(`update queue_pause set at = now() - interval '1 minute'`);
  expect((await readPausedSeconds(pool)).get('mail')).toBeGreaterThanOrEqual(60);
  await pool.query(`update audit_entry set actor = '–'`);
  expect(await readPauses(pool)).toMatchObject([{ queue: 'mail', by: null }]);
  await decide('mail', false);
  expect(await readPausedSeconds(pool)).toEqual(new Map());
});

test('the same first decision by two people at once is audited once', async () => {
  const { pool } = database;
  let both: Promise<void>[] = [];
  await withTransaction(pool, async (tx) => {
    // Holds both up until both have begun.
    await tx.query('lock table queue_pause in share row exclusive mode');
    both = [decide('mail', true), decide('mail', true)];
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(2);
  });
  await Promise.all(both);
  expect(await audited()).toEqual([{ actor: BY, action: 'queue.paused', subject: 'mail' }]);
});

test('a queue that does not exist is refused, and no other is changed with it', async () => {
  await expect(decide('none', true)).rejects.toMatchObject({ code: 'not_found' });
  const names = ['live', 'none'];
  const both = setQueuesPaused(database.pool, { names, paused: true, by: BY });
  await expect(both).rejects.toMatchObject({ code: 'not_found' });
  expect(await readPauses(database.pool)).toEqual([]);
  expect(await audited()).toEqual([]);
});

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  test('a paused queue keeps its jobs, stays paused when its server forgets, and works them after it is resumed', async () => {
    const { pool, url } = database;
    await prepareQueueBackend(redisUrl ?? url);
    const backend = openQueueBackend(redisUrl ?? url);
    const queues = new Map<QueueName, JobQueue>(
      QUEUES.map((name) => [name, backend.openQueue(name)]),
    );
    const queue = queues.get('statistics')!;
    const relay = startRelay({ db: pool, backend, queues, log: pino({ level: 'silent' }) });
    const done: Record<string, string[]> = { statistics: [], live: [] };
    const workers = (['statistics', 'live'] as const).map((name) =>
      backend.openWorker(name, async (job) => void done[name]!.push(job.name), {}),
    );
    try {
      await decide('statistics', true);
      await expect.poll(() => queue.isPaused()).toBe(true);
      await withTransaction(pool, async (tx) => {
        await emit(tx, 'answer.submitted', {
          quiz_id: randomUUID(),
          question_id: 1,
          correct: true,
        });
        await sendCanaries(tx);
      });
      await expect.poll(() => done.live).toEqual([CANARY]);
      await expect.poll(async () => (await countJobs(queue)).waiting).toBe(2);
      expect(done.statistics).toEqual([]);

      // As a Redis does that lost its data.
      for (const worker of workers) await worker.pause();
      await queue.resume();
      await expect.poll(() => queue.isPaused()).toBe(true);
      for (const worker of workers) await worker.resume();

      await decide('statistics', false);
      await expect.poll(() => done.statistics?.toSorted()).toEqual(['answer.submitted', CANARY]);
      expect(await queue.isPaused()).toBe(false);
    } finally {
      await relay.stop();
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all([...queues.values()].map((one) => one.close()));
      await backend.close();
    }
  });
});
