import { compareMigrations } from './migrate.ts';
import type { Database, Queryable } from './pool.ts';

/** The first PostgreSQL version with uuidv7(). */
export const MIN_POSTGRES_VERSION = 18;

interface DatabaseFacts {
  /** As reported by the server: `18.4`. */
  version: string;
  major: number;
  encoding: string;
  /** Milliseconds by which its clock is ahead of this machine's. */
  aheadMs: number;
  migrations: { missing: string[]; unknown: string[] };
}

/** Reads the facts about the database that an operator needs. Throws when it does not answer. */
export async function checkDatabase(db: Database): Promise<DatabaseFacts> {
  // Opens the connection first, so that its time does not distort the comparison of the clocks.
  await db.query('select 1');
  const startedAt = Date.now();
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
    aheadMs: Math.round(nowMs - (startedAt + Date.now()) / 2),
    migrations: await compareMigrations(db),
  };
}

/** Seconds since the start of the last successful backup; `undefined` when there is none. */
export async function backupAgeSeconds(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `select extract(epoch from clock_timestamp() - max(started_at))::float8 as seconds
     from backup_run`,
  );
  return rows[0]!.seconds ?? undefined;
}

/** Copies of backups off the machine. */
export interface OffsiteBackups {
  /** Seconds since the first attempt to send one. */
  triedSeconds: number;
  /** Age of the newest one that was sent; null before the first. */
  sentSeconds: number | null;
  /** Seconds since one was last restored as a test; null before the first. */
  verifiedSeconds: number | null;
}

/** Reads how old the copies off the machine are; `undefined` where none was ever to be sent. */
export async function readOffsiteBackups(db: Queryable): Promise<OffsiteBackups | undefined> {
  const { rows } = await db.query<{
    tried: number | null;
    sent: number | null;
    verified: number | null;
  }>(
    `select extract(epoch from clock_timestamp() - min(tried_at))::float8 as tried,
       extract(epoch from clock_timestamp() - max(dumped_at) filter (where sent_at is not null))::float8
         as sent,
       extract(epoch from clock_timestamp() - max(verified_at))::float8 as verified
     from backup_copy`,
  );
  const { tried, sent, verified } = rows[0]!;
  if (tried === null) return undefined;
  return { triedSeconds: tried, sentSeconds: sent, verifiedSeconds: verified };
}

export interface Connections {
  used: number;
  max: number;
}

/** The connections of the whole server, and their maximum for ordinary users. */
export async function readConnections(db: Queryable): Promise<Connections> {
  const { rows } = await db.query<Connections>(
    `select count(*)::int as used,
       current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int as max
     from pg_stat_activity where backend_type = 'client backend'`,
  );
  return rows[0]!;
}

/** Whether the database answers a query. */
export async function isReachable(db: Queryable): Promise<boolean> {
  return db.query('select 1').then(
    () => true,
    () => false,
  );
}
