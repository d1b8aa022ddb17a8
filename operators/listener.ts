import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
} from 'fastify';
import helmet from '@fastify/helmet';
import type { Registry } from 'prom-client';
import { boundedServer } from '@proveklar/services/http/bounded-server.ts';
import { authPlugin } from './auth.ts';
import { type HealthChecks, healthRoutes } from './health.ts';
import type { OperatorsConfig } from './who-may-look.ts';

/** Load balancers, Prometheus and some people; nothing that is sent here is large. */
const LIMITS = { connections: 200, requestMs: 30_000 };

export interface OperatorsOptions {
  /** Whose listener it is. */
  kind: 'gateway' | 'workers';
  config: OperatorsConfig;
  log: FastifyBaseLogger;
  /** What must be well for the process to be ready. Read at each request: checks may be added. */
  checks: HealthChecks;
  registry: Registry;
  /** Further pages, behind the same door. */
  pages?: readonly FastifyPluginAsync[];
}

/**
 * Builds what operators look at, on a port of its own: health, figures for Prometheus, and `pages`.
 * The process that builds it makes it listen, and closes it last.
 */
export async function buildOperatorsApp({
  kind,
  config,
  log,
  checks,
  registry,
  pages = [],
}: OperatorsOptions): Promise<FastifyInstance> {
  // Who asks is told from the connection alone: there is no proxy that may say otherwise.
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: false,
    serverFactory: (handler) => boundedServer(handler, LIMITS),
    forceCloseConnections: true,
  });
  app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.status(status).send({ message: error.message });
    request.log.error({ err: error, path: request.routeOptions.url }, "operators' listener");
    return reply.status(status).send({ message: 'It failed: the log says why.' });
  });

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        // The queues' board sets styles on its elements.
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:'],
        'form-action': ["'self'"],
        'base-uri': ["'self'"],
        'frame-ancestors': ["'none'"],
        'object-src': ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // Only the private network speaks to this port, and without TLS.
    strictTransportSecurity: false,
  });
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  await app.register(authPlugin, { kind, config });
  await app.register(healthRoutes, { checks });
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  for (const page of pages) await app.register(page);
  return app;
}

/** @returns the port, which the system chose where the configuration says 0 */
export async function listenForOperators(
  app: FastifyInstance,
  { OPERATORS_HOST: host, OPERATORS_PORT: port }: OperatorsConfig,
): Promise<number> {
  await app.listen({ host, port, listenTextResolver: (address) => `Operators: ${address}` });
  const [address] = app.addresses();
  return typeof address === 'object' ? address.port : port;
}
