import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { WAIT_TIMEOUT_MS } from './hang.ts';
import { databaseAt, type SharedDatabase } from './shared-services.ts';
import { timed } from './profile.ts';
import { shared } from './shared.ts';

export interface TestDatabase {
  url: string;
  pool: Database;
  /** Ends the pool and drops the database; fails when another connection is still open. */
  drop: () => Promise<void>;
}

/** Only a connection that is never closed takes so long. */
const LEAK_TIMEOUT_MS = 30_000;

/** Creates a database with every migration applied and no rows: a copy of the run's template database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = await shared<SharedDatabase>('database');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await timed('database', () =>
    withAdmin(adminUrl, (admin) =>
      admin.query(`create database "${name}" template "${template}" strategy file_copy`),
    ),
  );
  const url = databaseAt(adminUrl, name);
  const pool = createPool(url, { applicationName: 'test' });
  // On a slow host, many statements at once wait longer for a connection.
  pool.options.connectionTimeoutMillis = WAIT_TIMEOUT_MS;
  let dropped = false;
  return {
    url,
    pool,
    drop: async () => {
      if (dropped) return;
      dropped = true;
      await pool.end();
      await timed('database', () =>
        withAdmin(adminUrl, async (admin) => {
          const leaks = await leakedConnections(admin, name);
          // Without `force`, the drop waits for autovacuum. `force` would end it, which only superusers may.
          const force = leaks.length > 0 ? ' with (force)' : '';
          await admin.query(`drop database "${name}"${force}`);
          if (leaks.length > 0)
            throw new Error(`Left connected to the database:\n${leaks.join('\n')}`);
        }),
      );
    },
  };
}

/**
 * A test file's own database: created before its tests, dropped after them. Use `url` and `pool` inside
 * tests and hooks only.
 */
export function useTestDatabase(): Pick<TestDatabase, 'url' | 'pool'> {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());
  const opened = () => {
    if (!database) throw new Error('Use the test database inside tests and hooks only.');
    return database;
  };
  return {
    get url() {
      return opened().url;
    },
    get pool() {
      return opened().pool;
    },
  };
}

/** The functions of each database that delete the rows of some tables, by the tables' names. */
const emptying = new WeakMap<Database, Map<string, Promise<string>>>();

/**
 * Deletes all rows of these tables and of those that refer to them. Truncating takes five times as long for so few
 * rows.
 */
export async function emptyTables(db: Database, ...tables: string[]): Promise<void> {
  const known = emptying.get(db) ?? new Map<string, Promise<string>>();
  emptying.set(db, known);
  const key = tables.join(' ');
  const prepared = known.get(key) ?? createEmptying(db, tables, `empty_tables_${known.size}`);
  known.set(key, prepared);
  await db.query(`select ${await prepared}()`);
}

/** A function keeps the plans of its statements. */
async function createEmptying(db: Database, tables: string[], name: string): Promise<string> {
  const references = await referencesOf(db);
  const found = new Set(tables);
  // A set that grows while it is read.
  for (const table of found) {
    for (const { refers, to } of references) if (to === table) found.add(refers);
  }
  const statements = referringFirst(found, references).map((table) => `delete from ${table};`);
  await db.query(
    `create function ${name}() returns void language plpgsql as 'begin ${statements.join(' ')} end'`,
  );
  return name;
}

interface Reference {
  refers: string;
  to: string;
}

async function referencesOf(db: Database): Promise<Reference[]> {
  const { rows } = await db.query<Reference>(
    `select conrelid::regclass::text as refers, confrelid::regclass::text as "to" from pg_constraint
     where contype = 'f' and conrelid <> confrelid`,
  );
  return rows;
}

/** The tables, each before those that it refers to. */
function referringFirst(tables: ReadonlySet<string>, references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  for (let left = [...tables]; left.length > 0;) {
    const blocked = new Set(
      references.filter(({ refers }) => left.includes(refers)).map(({ to }) => to),
    );
    const free = left.filter((table) => !blocked.has(table));
    if (free.length === 0) throw new Error(`Tables that refer to each other: ${left.join(', ')}`);
    ordered.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return ordered;
}

/** The names of all tables. */
export async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  return rows.map(({ name }) => name);
}

/** Finds pools and workers that a test did not close: they would go on working on a dropped database. */
async function leakedConnections(admin: pg.Client, database: string): Promise<string[]> {
  const deadline = Date.now() + LEAK_TIMEOUT_MS;
  for (;;) {
    const { rows } = await admin.query<{ application_name: string; state: string; query: string }>(
      `select application_name, state, left(query, 120) as query
         from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [database],
    );
    // The server notices a closed connection a moment later than the client that closed it.
    if (rows.length === 0 || Date.now() > deadline) {
      return rows.map(
        (row) => `  ${row.application_name || '(unnamed)'}, ${row.state}: ${row.query}`,
      );
    }
    await sleep(25);
  }
}

async function withAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url, application_name: 'test admin' });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
