import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { withAdvisoryLock } from './advisory-lock.ts';

const database = useTestDatabase();
const KEY = 4_711;

/** The connections of the test whose last statement, which has ended, asked for a lock. */
async function countIdle(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and state = 'idle' and query like '%advisory_lock%'`,
  );
  return rows[0]!.count;
}

test('a process that waits for a lock has no statement that could time out', async () => {
  const released = Promise.withResolvers<void>();
  const holding = withAdvisoryLock(database.pool, KEY, () => released.promise);
  await expect.poll(countIdle).toBe(1);
  const waiting = withAdvisoryLock(database.pool, KEY, async () => 'done', { wait: true });
  // The holder, and the one that waits.
  await expect.poll(countIdle).toBe(2);
  expect(await withAdvisoryLock(database.pool, KEY, async () => 'done')).toBeNull();
  released.resolve();
  await holding;
  expect(await waiting).toBe('done');
});
