import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import type { Transaction } from '#database/pool.ts';
import { openQueueBackend, prepareQueueBackend } from './queue-backend.ts';

/** Of one queue and one worker, which look every half second, each in two ways. */
const MOST_FAILURES_A_SECOND = 20;

const database = useTestDatabase();
let operator: Transaction;

beforeAll(async () => {
  await prepareQueueBackend(database.url);
  operator = await database.pool.connect();
});
afterAll(() => operator?.release());

/** As when PostgreSQL has no connection left (SQLSTATE 53300). */
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

test('queues that PostgreSQL refuses ask now and then, and work when they are let in', async () => {
  const failures: string[] = [];
  const done: string[] = [];
  const failed = (error: Error) => void failures.push((error as { code?: string }).code ?? '');
  await refuseAll();
  const backend = openQueueBackend(database.url, { failed, mended: () => {} });
  const queue = backend.openQueue('statistics');
  const worker = backend.openWorker(
    'statistics',
    async (job) => void done.push(job.data.batch_id),
    { concurrency: 5 },
  );
  try {
    // Before they were ever let in, and after they have worked.
    for (const round of ['first', 'second']) {
      const begun = performance.now();
      failures.length = 0;
      const refusals = () => failures.filter((code) => code === '53300').length;
      await expect.poll(refusals).toBeGreaterThan(6);
      const seconds = (performance.now() - begun) / 1000;
      expect(failures.length / seconds).toBeLessThan(MOST_FAILURES_A_SECOND);
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
