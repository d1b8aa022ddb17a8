import { readdir } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { migrate } from './migrate.ts';

const database = useTestDatabase();

test('a migration that PostgreSQL ends because of a deadlock is run again', async () => {
  const { url, pool } = database;
  // From the migration that adds pictures, which changes two tables.
  const files = await readdir(new URL('../../migrations', import.meta.url));
  const newer = files.filter((name) => /^\d/.test(name) && name >= '20261127100000');
  const undone = await migrate(url, 'down', newer.length);
  const other = new pg.Client(url);
  await other.connect();
  // Locks the table that the migration changes second, and then asks for the first.
  await other.query('begin');
  await other.query('select from question_version');
  const migrated = migrate(url);
  await expect
    .poll(async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '-- Up%'`,
      );
      return rows.length;
    })
    .toBe(1);
  await other.query('select from question');
  await other.query('commit');
  await other.end();
  expect(await migrated).toEqual(undone.toReversed());
});
