import { readdir } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { migrate } from './migrate.ts';

const database = useTestDatabase();

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

test('a migration that PostgreSQL ends because of a deadlock is run again', async () => {
  const { url, pool } = database;
  // From the migration that adds pictures, which changes two tables.
  const files = await readdir(new URL('../../migrations', import.meta.url));
  const newer = files.filter((name) => /^\d/.test(name) && name >= '20261127100000');
  const undone = await migrate(url, 'down', newer.length);
  // A deadlock ends the session that looks for one, once, after it has waited for `deadlock_timeout`. That must be
  // the migration, so it is let on to the table that the other session holds when that one has looked already.
  const [gate, other] = await Promise.all([connect(url), connect(url)]);
  await gate.query('begin; select from question_version');
  await other.query('begin; lock table import_update in row exclusive mode');
  const migrated = migrate(url);
  const waiting = async (query: string, timeouts = 0) => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity join pg_locks using (pid)
       where datname = current_database() and not granted and query like $1
         and waitstart <= clock_timestamp() - $2 * current_setting('deadlock_timeout')::interval`,
      [query, timeouts],
    );
    return rowCount;
  };
  await expect.poll(() => waiting('-- Up%')).toBe(1);
  const read = other.query('select from question; commit');
  await expect.poll(() => waiting('select from question;%', 3)).toBe(1);
  await gate.query('commit');
  await read;
  await Promise.all([gate.end(), other.end()]);
  expect(await migrated).toEqual(undone.toReversed());
});
