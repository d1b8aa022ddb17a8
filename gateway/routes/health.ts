import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import { HealthResponse } from '@proveklar/contract/config.ts';
import { isReachable } from '@proveklar/services/database/check-database.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import * as docs from '#openapi/examples/service.ts';

/** Liveness and readiness of this process. */
export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const response = withErrors({ 200: HealthResponse });
  // Called many times a minute by monitoring: not logged.
  const logLevel = 'warn';

  app.get(
    '/health/live',
    {
      logLevel,
      config: { access: 'public', rateLimit: false, docs: docs.isLive },
      schema: { tags: ['health'], summary: 'Liveness: whether the process runs', response },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/health/ready',
    {
      logLevel,
      config: { access: 'public', rateLimit: false, docs: docs.isReady },
      schema: {
        tags: ['health'],
        summary: 'Readiness: whether the process can take requests',
        response,
      },
    },
    async () => {
      // A draining gateway still answers, but load balancers must send no new requests.
      const isReady = !app.draining.aborted && (await isReachable(app.deps.db));
      if (!isReady) throw new AppError('unavailable');
      return { status: 'ok' as const };
    },
  );
};
