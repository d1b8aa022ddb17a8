import type { FastifyPluginAsync } from 'fastify';
import { inTime } from '@proveklar/services/lifecycle/in-time.ts';
import type { HealthCheck, HealthChecks } from '@proveklar/services/operations/health-checks.ts';

const PATIENCE_MS = 5_000;

/**
 * `/health/live`: the process runs. `/health/ready`: every check is well, otherwise 503. Both are open
 * to anybody, so that a load balancer needs no password; only operators read what is wrong.
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
  return (await inTime(PATIENCE_MS, check())) ?? ['could not be read'];
}
