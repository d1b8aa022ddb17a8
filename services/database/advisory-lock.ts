import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './pool.ts';

const RETRY_INTERVAL_MS = 1_000;

/**
 * Runs `work` under an advisory lock, which one process at a time has. It belongs to a connection of its own, so
 * PostgreSQL releases it when the process is killed.
 *
 * @param key any number that no other lock of the service uses
 * @param wait whether to wait for a process that has the lock
 * @returns what `work` returns; null when another process has the lock
 */
export async function withAdvisoryLock<T>(
  db: Database,
  key: number,
  work: () => Promise<T>,
  { wait = false } = {},
): Promise<T | null> {
  const connection = await db.connect();
  const ignore = () => {};
  connection.on('error', ignore);
  let broken = false;
  // Asked for again and again: a statement that waits for the lock would reach the pool's statement timeout.
  const isLocked = async () => {
    const { rows } = await connection.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1) as locked',
      [key],
    );
    return rows[0]!.locked;
  };
  try {
    while (!(await isLocked())) {
      if (!wait) return null;
      await sleep(RETRY_INTERVAL_MS);
    }
    try {
      return await work();
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [key]).catch(() => {
        broken = true;
      });
    }
  } finally {
    connection.off('error', ignore);
    connection.release(broken);
  }
}
