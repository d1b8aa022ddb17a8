import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import type { Queryable } from './pool.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations', import.meta.url));
const TABLE = 'migration';

/** How long a statement of a migration waits for a lock, and so everyone who wants that table after it. */
const LOCK_TIMEOUT_MS = 200;
/** Others get the tables meanwhile. */
const RETRY_INTERVAL_MS = 300;
/** Longer than a long statement of ours; a backup lasts longer than one wants to wait. */
const RETRY_TIMEOUT_MS = 2 * 60_000;
/** SQLSTATE: a lock was not had in time; the transaction was ended in favour of another one. */
const LOCKED = new Set(['55P03', '40P01']);

/**
 * Applies the migrations to a database, each in a transaction of its own, so that what it locks is free again before
 * the next one begins, and under an advisory lock: several processes may start at once, and the others wait. One that
 * fails is undone, and those before it stay: the version before works with any of them.
 *
 * A table that is in use is asked for in short attempts, so that learners wait for milliseconds behind a migration, not
 * for what it waits for: a deadlock with a process that works meanwhile, or a backup.
 *
 * @param count how many to apply; by default all when going up and one when going down
 * @returns the names of the migrations that were applied; without a count, and when an attempt was repeated, of those
 *   since
 * @throws Error when a table was in use for two minutes
 */
export async function migrate(
  databaseUrl: string,
  direction: 'up' | 'down' = 'up',
  count?: number,
): Promise<string[]> {
  if (count === undefined) return untilUnlocked(databaseUrl, direction);
  const applied: string[] = [];
  // One at a time, because an attempt that is repeated may have applied some of several.
  while (applied.length < count) {
    const [name] = await untilUnlocked(databaseUrl, direction, 1);
    if (name === undefined) break;
    applied.push(name);
  }
  return applied;
}

async function untilUnlocked(...request: Parameters<typeof runMigrations>): Promise<string[]> {
  const until = Date.now() + RETRY_TIMEOUT_MS;
  for (;;) {
    try {
      return await runMigrations(...request);
    } catch (error) {
      if (!LOCKED.has(String((error as { code?: string }).code))) throw error;
      if (Date.now() > until) {
        throw new Error('A table of the next migration was in use for two minutes. Run it again.', {
          cause: error,
        });
      }
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

async function runMigrations(
  databaseUrl: string,
  direction: 'up' | 'down',
  count?: number,
): Promise<string[]> {
  const dbClient = new pg.Client(databaseUrl);
  await dbClient.connect();
  try {
    await dbClient.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const applied = await runner({
      dbClient,
      dir: MIGRATIONS_DIR,
      ignorePattern: '(\\..*|.*\\.md|schema\\.txt)',
      migrationsTable: TABLE,
      direction,
      ...(count !== undefined && { count }),
      singleTransaction: false,
      advisoryLockMode: 'wait',
      // Changes are merged in another order than they were begun: an older name may arrive after a newer one.
      checkOrder: false,
      log: () => {},
    });
    return applied.map(({ name }) => name);
  } finally {
    await dbClient.end();
  }
}

/** The migrations that a database lacks, and those it has that this version does not know. */
export async function compareMigrations(
  db: Queryable,
): Promise<{ missing: string[]; unknown: string[] }> {
  const files = await readdir(MIGRATIONS_DIR);
  const ours = files.filter((file) => /[.](sql|ts)$/.test(file)).map((file) => parse(file).name);
  const { rows: tables } = await db.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [TABLE],
  );
  const { rows } = tables[0]!.there
    ? await db.query<{ name: string }>(`select name from ${TABLE}`)
    : { rows: [] };
  const applied = new Set(rows.map(({ name }) => name));
  return {
    missing: ours.filter((name) => !applied.has(name)).toSorted(),
    unknown: [...applied].filter((name) => !ours.includes(name)).toSorted(),
  };
}
