import { compareMigrations } from './migrate.ts';
import type { Database, Queryable } from './pool.ts';

/** The oldest PostgreSQL with everything that is used here: uuidv7(). */
export const OLDEST_POSTGRES = 18;

interface DatabaseFacts {
  /** As the server says it: `18.4`. */
  version: string;
  major: number;
  encoding: string;
  /** Milliseconds by which its clock is ahead of this machine's. */
  aheadMs: number;
  migrations: { missing: string[]; unknown: string[] };
}

/** What an operator must know of the database. Throws when it does not answer. */
export async function checkDatabase(db: Database): Promise<DatabaseFacts> {
  // The first query opens the connection: the clocks are compared on one that is there.
  await db.query('select 1');
  const asked = Date.now();
  const { rows } = await db.query<{
    version: string;
    number: number;
    encoding: string;
    now_ms: number;
  }>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::int as number,
       current_setting('server_encoding') as encoding,
       extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`,
  );
  const { version, number, encoding, now_ms: nowMs } = rows[0]!;
  return {
    version: version.split(' ', 1)[0]!,
    major: Math.floor(number / 10_000),
    encoding,
    aheadMs: Math.round(nowMs - (asked + Date.now()) / 2),
    migrations: await compareMigrations(db),
  };
}

/**
 * Seconds of changes that no backup has: since the last good one began. `undefined` when there has
 * never been one.
 */
export async function backupAgeSeconds(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `select extract(epoch from clock_timestamp() - max(started_at))::float8 as seconds
     from backup_run`,
  );
  return rows[0]!.seconds ?? undefined;
}

export interface Connections {
  used: number;
  most: number;
}

/** How many connections the whole server has, and may have for who is no superuser. */
export async function readConnections(db: Queryable): Promise<Connections> {
  const { rows } = await db.query<Connections>(
    `select count(*)::int as used,
       current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int as most
     from pg_stat_activity where backend_type = 'client backend'`,
  );
  return rows[0]!;
}

/** Whether the database answers a query now. */
export async function isReachable(db: Queryable): Promise<boolean> {
  return db.query('select 1').then(
    () => true,
    () => false,
  );
}
