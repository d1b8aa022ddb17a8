import { compareMigrations } from './migrate.ts';
import type { Database } from './pool.ts';

/** The oldest PostgreSQL with everything that is used here: uuidv7(). */
export const OLDEST_POSTGRES = 18;

export interface DatabaseFacts {
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
