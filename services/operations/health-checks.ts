import { isReachable } from '#database/is-reachable.ts';
import { compareMigrations } from '#database/migrate.ts';
import type { Database } from '#database/pool.ts';

/** What is wrong, in words for whoever looks after the service; empty when nothing is. */
export type HealthCheck = () => Promise<readonly string[]>;
/** By what they look at. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

export const checkReachable =
  (db: Database): HealthCheck =>
  async () =>
    (await isReachable(db)) ? [] : ['the database does not answer'];

/** Asked until the database has this version's tables: a version never takes any away. */
export function checkTables(db: Database): HealthCheck {
  let isMigrated = false;
  return async () => {
    if (isMigrated) return [];
    const { missing } = await compareMigrations(db);
    const [first] = missing;
    if (first === undefined) {
      isMigrated = true;
      return [];
    }
    return [
      `the database lacks ${missing.length} of this version's migrations, from ${first} on: migrate it`,
    ];
  };
}
