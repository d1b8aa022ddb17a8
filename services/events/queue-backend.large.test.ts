import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startCuttableProxy } from '@proveklar/tests/support/cuttable-proxy.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { queueBackends } from '@proveklar/tests/support/shared.ts';
import { type Transaction, withTransaction } from '#database/pool.ts';
import { QUEUES, type QueueName } from './catalogue.ts';
import { emit } from './outbox.ts';
import { type JobQueue, openQueueBackend, prepareQueueBackend } from './queue-backend.ts';
import { startRelay } from './relay.ts';

/** One queue and one worker each retry every half second, each in two ways. */
const MAX_FAILURES_PER_SECOND = 20;

const database = useTestDatabase();
let operator: Transaction;

beforeAll(async () => {
  await prepareQueueBackend(database.url);
  operator = await database.pool.connect();
});
afterAll(() => operator?.release());

/** Makes PostgreSQL refuse new connections, as when it has none left (SQLSTATE 53300). */
async function refuseAll(): Promise<void> {
  await setLimit(0);
  await operator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name <> 'test' and backend_type = 'client backend'`,
  );
}

async function setLimit(limit: number): Promise<void> {
  const { rows } = await operator.query<{ name: string }>('select current_database() as name');
  await operator.query(`alter database "${rows[0]!.name}" connection limit ${limit}`);
}

test('queues retry slowly while PostgreSQL refuses connections, and recover after', async () => {
  const failures: string[] = [];
  const done: string[] = [];
  const onError = (error: Error) => void failures.push((error as { code?: string }).code ?? '');
  await refuseAll();
  const backend = openQueueBackend(database.url, { onError, onRecovery: () => {} });
  const queue = backend.openQueue('statistics');
  const worker = backend.openWorker(
    'statistics',
    async (job) => void done.push(job.data.batch_id),
    { concurrency: 5 },
  );
  try {
    // First before any connection was made, then after they have worked.
    for (const round of ['first', 'second']) {
      const startedAt = performance.now();
      failures.length = 0;
      const refusals = () => failures.filter((code) => code === '53300').length;
      await expect.poll(refusals).toBeGreaterThan(6);
      const seconds = (performance.now() - startedAt) / 1000;
      expect(failures.length / seconds).toBeLessThan(MAX_FAILURES_PER_SECOND);
      await setLimit(-1);
      await expect
        .poll(() =>
          queue.add('answer.submitted', { batch_id: round }).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      await expect.poll(() => done).toContain(round);
      await refuseAll();
    }
    await setLimit(-1);
  } finally {
    await setLimit(-1);
    await worker.close();
    await queue.close();
    await backend.close();
  }
});

test('a job of a dead worker is taken up although a clock was ten minutes ahead', async () => {
  const backend = openQueueBackend(database.url);
  const queue = backend.openQueue('imports');
  await queue.add('import.received', { batch_id: 'left' }, { jobId: 'left' });
  // As a worker leaves it that is killed, and whose clock was ahead.
  await operator.query(
    `update bullmq.job set state = 'active', lock_token = 'dead', attempts_started = 1,
       locked_until_ms = (extract(epoch from clock_timestamp()) * 1000)::bigint + 600000
     where queue = 'imports'`,
  );
  await operator.query(
    `insert into bullmq.meta (queue, field, value) values ('imports', 'stalled-check',
       ((extract(epoch from clock_timestamp()) * 1000)::bigint + 600000)::text)
     on conflict (queue, field) do update set value = excluded.value`,
  );
  const done: string[] = [];
  const worker = backend.openWorker('imports', async (job) => void done.push(job.data.batch_id), {
    stalledInterval: 2_000,
    maxStalledCount: 5,
  });
  try {
    await expect.poll(() => done).toEqual(['left']);
  } finally {
    await worker.close();
    await queue.close();
    await backend.close();
  }
});

test.each(await queueBackends())(
  'a job on $name is tried again after its delay although the clock of its worker was ahead',
  async ({ redisUrl }) => {
    const backend = openQueueBackend(redisUrl ?? database.url);
    const queue = backend.openQueue('statistics');
    const realTime = Date.now.bind(Date);
    const done: string[] = [];
    const worker = backend.openWorker(
      'statistics',
      async (job) => {
        if (job.attemptsMade === 0) {
          vi.spyOn(Date, 'now').mockImplementation(() => realTime() + 600_000);
          throw new Error('The first attempt fails');
        }
        done.push(job.data.batch_id);
      },
      {},
    );
    worker.on('failed', () => vi.restoreAllMocks());
    try {
      await queue.add(
        'answer.submitted',
        { batch_id: 'late' },
        { attempts: 2, backoff: { type: 'fixed', delay: 500 } },
      );
      await expect.poll(() => done).toEqual(['late']);
    } finally {
      vi.restoreAllMocks();
      await worker.close();
      await queue.close();
      await backend.close();
    }
  },
);

test.each(await queueBackends())(
  'a job on $name is tried again after its delay although the clock of the only worker is behind',
  async ({ redisUrl }) => {
    const backend = openQueueBackend(redisUrl ?? database.url);
    const queue = backend.openQueue('imports');
    const realTime = Date.now.bind(Date);
    const attempts: number[] = [];
    const worker = backend.openWorker(
      'imports',
      async () => {
        attempts.push(performance.now());
        if (attempts.length === 1) throw new Error('The first attempt fails');
      },
      { autorun: false },
    );
    try {
      await queue.add(
        'import.requested',
        { batch_id: 'slow' },
        { attempts: 2, backoff: { type: 'fixed', delay: 500 } },
      );
      vi.spyOn(Date, 'now').mockImplementation(() => realTime() - 600_000);
      void worker.run();
      await expect.poll(() => attempts).toHaveLength(2);
      expect(attempts[1]! - attempts[0]!).toBeGreaterThanOrEqual(490);
    } finally {
      vi.restoreAllMocks();
      await worker.close();
      await queue.close();
      await backend.close();
    }
  },
);

test.each(await queueBackends())(
  'a job on $name that failed on all attempts is retried although the clock of its worker was ahead',
  async ({ redisUrl }) => {
    const backend = openQueueBackend(redisUrl ?? database.url);
    const queues = new Map<QueueName, JobQueue>(
      QUEUES.map((name) => [name, backend.openQueue(name)]),
    );
    const queue = queues.get('regrades')!;
    const realTime = Date.now.bind(Date);
    const done: string[] = [];
    let isBroken = true;
    const worker = backend.openWorker(
      'regrades',
      async (job) => {
        if (!isBroken) return void done.push(job.data.batch_id);
        vi.spyOn(Date, 'now').mockImplementation(() => realTime() + 600_000);
        throw new Error('The only attempt fails');
      },
      {},
    );
    worker.on('failed', () => vi.restoreAllMocks());
    await queue.add('question.regraded', { batch_id: 'late' }, { attempts: 1 });
    await expect.poll(() => queue.getFailedCount()).toBe(1);
    vi.restoreAllMocks();
    isBroken = false;
    const log = pino({ level: 'silent' });
    const relay = startRelay({ db: database.pool, backend, queues, log });
    try {
      await expect.poll(() => done).toEqual(['late']);
    } finally {
      await relay.stop();
      await worker.close();
      await Promise.all([...queues.values()].map((each) => each.close()));
      await backend.close();
    }
  },
);

test('the relay publishes again what Redis lost halfway, or regards as done', async ({ skip }) => {
  const { pool } = database;
  const redisUrl = (await queueBackends()).at(-1)!.redisUrl;
  skip(!redisUrl, 'there is no redis-server');
  const redis = new Redis(redisUrl!);
  const backend = openQueueBackend(redisUrl!);
  const queues = new Map<QueueName, JobQueue>(
    QUEUES.map((name) => [name, backend.openQueue(name)]),
  );
  const queue = queues.get('statistics')!;
  const relay = startRelay({ db: pool, backend, queues, log: pino({ level: 'silent' }) });
  try {
    await withTransaction(pool, (tx) =>
      emit(tx, 'answer.submitted', { quiz_id: randomUUID(), question_id: 1, correct: true }),
    );
    await expect.poll(() => queue.getWaitingCount()).toBe(1);
    const makeOverdue = () =>
      pool.query(`update event_delivery set published_at = now() - interval '31 s'`);

    // As addJob leaves it when Redis is full after its first command: the job, in no list.
    const [job] = await queue.getWaiting();
    expect(await redis.lrem('{proveklar}:statistics:wait', 0, job!.id!)).toBe(1);
    await makeOverdue();
    await expect.poll(() => queue.getWaitingCount()).toBe(1);

    // Its batch is not consumed.
    let runs = 0;
    const worker = backend.openWorker('statistics', async () => void (runs += 1), {});
    await expect.poll(() => queue.getCompletedCount()).toBe(1);
    await makeOverdue();
    await expect.poll(() => runs).toBe(2);
    await worker.close();
  } finally {
    await relay.stop();
    await Promise.all([...queues.values()].map((each) => each.close()));
    await backend.close();
    await redis.quit();
  }
});

test.each((await queueBackends()).filter(({ redisUrl }) => redisUrl !== undefined))(
  'an interruption of $name counts as a loss until that is recorded',
  async ({ redisUrl = '' }) => {
    const proxy = await startCuttableProxy(redisUrl);
    const address = new URL(redisUrl);
    address.host = new URL(proxy.url).host;
    const backend = openQueueBackend(address.href);
    const generation = randomUUID();
    const increment = () => backend.incrementGeneration(generation).catch(() => null);
    try {
      for (const connections of ['first', 'cut']) {
        if (connections === 'cut') {
          proxy.cut();
          proxy.restore();
        }
        await expect.poll(increment).toMatchObject({ count: 0 });
        const counted = await backend.incrementGeneration(generation);
        expect(counted).toMatchObject({ count: 0 });
        counted!.recordLoss();
        expect((await backend.incrementGeneration(generation))!.count).toBeGreaterThan(0);
      }
    } finally {
      await backend.close();
      await proxy.close();
    }
  },
);
