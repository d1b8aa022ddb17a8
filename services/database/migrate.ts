import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runner, type RunnerOption } from 'node-pg-migrate';
import type { Queryable } from './pool.ts';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations', import.meta.url));
const TABLE = 'migration';

/**
 * Applies the migrations to a database, each in a transaction of its own, so that what it locks is free again before
 * the next one begins, and under an advisory lock: several processes may start at once, and the others wait. One that
 * fails is undone, and those before it stay: the version before works with any of them.
 *
 * @param count how many to apply; by default all when going up and one when going down
 * @returns the names of the migrations that were applied; after a deadlock, of those since
 */
export async function migrate(
  databaseUrl: string,
  direction: 'up' | 'down' = 'up',
  count?: number,
): Promise<string[]> {
  const options: RunnerOption = {
    databaseUrl,
    dir: MIGRATIONS_DIR,
    ignorePattern: '(\\..*|.*\\.md|schema\\.txt)',
    migrationsTable: TABLE,
    direction,
    singleTransaction: false,
    advisoryLockMode: 'wait',
    // Changes are merged in another order than they were begun: an older name may arrive after a newer one.
    checkOrder: false,
    log: () => {},
  };
  if (count !== undefined) options.count = count;
  return (await runAgainAfterDeadlock(options)).map((migration) => migration.name);
}

const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 5;

/**
 * The processes that work meanwhile lock tables in their own order, so PostgreSQL may end the transaction of the
 * migrations in favour of theirs. That migration is undone then; the next attempt waits for the lock again.
 */
async function runAgainAfterDeadlock(
  options: RunnerOption,
  attempt = 1,
): ReturnType<typeof runner> {
  try {
    return await runner(options);
  } catch (error) {
    if ((error as { code?: string }).code !== DEADLOCK || attempt === MAX_ATTEMPTS) throw error;
    return runAgainAfterDeadlock(options, attempt + 1);
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
