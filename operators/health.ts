import type { FastifyPluginAsync } from 'fastify';
import { isReachable } from '@proveklar/services/database/check-database.ts';
import { compareMigrations } from '@proveklar/services/database/migrate.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';

/** A health check. @returns its problems, as text for operators; empty when healthy */
type HealthCheck = () => Promise<readonly string[]>;
/** Readiness checks, by the name of the dependency. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

const TIMEOUT_MS = 5_000;

/**
 * Serves the health checks of a process. Liveness, `/health/live`: the process runs. Readiness,
 * `/health/ready`: 200 when every check passes, otherwise 503. Neither needs a password, so that load
 * balancers can call them; only operators see the problems.
 */
export const healthRoutes: FastifyPluginAsync<{ checks: HealthChecks }> = async (
  app,
  { checks },
) => {
  const config = { open: true };

  app.get('/health/live', { config }, async () => ({ status: 'ok' }));

  app.get('/health/ready', { config }, async ({ isOperator }, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await problemsOf(check)] as const),
    );
    const failed = results.filter(([, problems]) => problems.length > 0);
    const isReady = failed.length === 0;
    return reply.status(isReady ? 200 : 503).send({
      status: isReady ? 'ok' : 'unavailable',
      ...Object.fromEntries(results.map(([name, problems]) => [name, problems.length === 0])),
      ...(isOperator && !isReady && { problems: Object.fromEntries(failed) }),
    });
  });
};

/** A check that throws or times out counts as a problem. */
async function problemsOf(check: HealthCheck): Promise<readonly string[]> {
  return (await tryWithTimeout(TIMEOUT_MS, check())) ?? ['could not be read'];
}

export const checkReachable =
  (db: Database): HealthCheck =>
  async () =>
    (await isReachable(db)) ? [] : ['the database does not answer'];

/** Passes once the database has this version's migrations. Not checked again, because no migration is undone. */
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
