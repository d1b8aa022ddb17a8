import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { HealthResponse } from '@proveklar/contract/config.ts';
import { isReachable } from '@proveklar/services/database/check-database.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import * as docs from '#openapi/examples/service.ts';

/** Whether this process runs, and whether it can take requests. */
export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const response = withErrors({ 200: HealthResponse });
  // Asked many times a minute by whoever watches: not worth a line each.
  const logLevel = 'warn';

  app.get(
    '/health/live',
    {
      logLevel,
      config: { access: 'public', rateLimit: false, docs: docs.isLive },
      schema: { tags: ['health'], summary: 'Whether the process runs', response },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/health/ready',
    {
      logLevel,
      config: { access: 'public', rateLimit: false, docs: docs.isReady },
      schema: { tags: ['health'], summary: 'Whether it can take requests', response },
    },
    async () => {
      // While it drains it answers like any other, but nobody should begin to ask it.
      const isReady = !app.draining.aborted && (await isReachable(app.deps.db));
      if (!isReady) throw new AppError('unavailable');
      return { status: 'ok' as const };
    },
  );
};
