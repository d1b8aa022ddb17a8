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

/** How many migrations are undone to undo this one. */
async function countFrom(name: string): Promise<number> {
  const files = await readdir(new URL('../../migrations', import.meta.url));
  return files.filter((file) => /^\d/.test(file) && file >= name).length;
}

test('a migration lets others have a table while it waits for it', async () => {
  const { url, pool } = database;
  // The migration that adds pictures changes the table.
  const undone = await migrate(url, 'down', await countFrom('20261127100000'));
  const [backup, learner] = await Promise.all([connect(url), connect(url)]);
  await backup.query('begin; select from question_version');
  const migrated = migrate(url);
  const waiting = async () => {
    const { rowCount } = await pool.query(
      `select from pg_locks where relation = 'question_version'::regclass and not granted`,
    );
    return rowCount;
  };
  await expect.poll(waiting, { interval: 5 }).toBe(1);
  // It would wait behind the migration, which waits for the backup.
  await learner.query('begin; lock table question_version in row exclusive mode; commit');
  await backup.query('commit');
  expect(await migrated).toEqual(undone.toReversed());
  await Promise.all([backup.end(), learner.end()]);
});

test('migrations are counted also when one of them is repeated', async () => {
  const { url, pool } = database;
  const backup = await connect(url);
  await backup.query('begin; select from message');
  // The migration that adds messages changes the table.
  const count = await countFrom('20261205110000');
  const undone = migrate(url, 'down', count);
  const waiting = async () => {
    const { rowCount } = await pool.query(
      `select from pg_locks where relation = 'message'::regclass and not granted`,
    );
    return rowCount;
  };
  await expect.poll(waiting, { interval: 5 }).toBe(1);
  await expect.poll(waiting, { interval: 5 }).toBe(0);
  await backup.query('commit');
  const names = await undone;
  expect(names).toHaveLength(count);
  await backup.end();
  expect(await migrate(url)).toEqual(names.toReversed());
});
