import type { FastifyPluginAsync } from 'fastify';
import { isReachable } from '@proveklar/services/database/check-database.ts';
import { compareMigrations } from '@proveklar/services/database/migrate.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';

/** What is wrong, in words for operators; empty when nothing is. */
type HealthCheck = () => Promise<readonly string[]>;
/** By what they look at. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

const TIMEOUT_MS = 5_000;

/**
 * `/health/live`: the process runs. `/health/ready`: every check is well, otherwise 503. Both are open
 * to all, so that a load balancer needs no password; only operators read what is wrong.
 */
export const healthRoutes: FastifyPluginAsync<{ checks: HealthChecks }> = async (
  app,
  { checks },
) => {
  const config = { open: true };

  app.get('/health/live', { config }, async () => ({ status: 'ok' }));

  app.get('/health/ready', { config }, async ({ isOperator }, reply) => {
    const found = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await problemsOf(check)] as const),
    );
    const wrong = found.filter(([, problems]) => problems.length > 0);
    const isReady = wrong.length === 0;
    return reply.status(isReady ? 200 : 503).send({
      status: isReady ? 'ok' : 'unavailable',
      ...Object.fromEntries(found.map(([name, problems]) => [name, problems.length === 0])),
      ...(isOperator && !isReady && { problems: Object.fromEntries(wrong) }),
    });
  });
};

/** A check that fails or takes too long has found something wrong too. */
async function problemsOf(check: HealthCheck): Promise<readonly string[]> {
  return (await tryWithTimeout(TIMEOUT_MS, check())) ?? ['could not be read'];
}

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
