import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { isReachable } from '@proveklar/services/database/is-reachable.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { HealthResponse } from '#contract/health.ts';
import { withErrors } from '#contract/responses.ts';

export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const schema = { tags: ['health'], response: withErrors({ 200: HealthResponse }) };
  // Asked many times a minute by whoever watches: not worth a line each.
  const quiet = { logLevel: 'warn', config: { access: 'public' }, schema } as const;

  app.get('/health/live', quiet, async () => ({ status: 'ok' as const }));

  app.get('/health/ready', quiet, async () => {
    if (!(await isReachable(app.deps.db))) throw new AppError('unavailable');
    return { status: 'ok' as const };
  });
};
