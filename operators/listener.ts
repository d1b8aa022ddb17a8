import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
} from 'fastify';
import type { Registry } from 'prom-client';
import { boundedServer } from '@proveklar/services/http/bounded-server.ts';
import { helmetHeaders } from '@proveklar/services/http/helmet-headers.ts';
import { authPlugin } from './auth.ts';
import { type HealthChecks, healthRoutes } from './health.ts';
import type { OperatorsConfig } from './access.ts';

/** For load balancers, Prometheus and a few operators; no request is large. */
const LIMITS = { connections: 200, requestMs: 30_000 };

export interface OperatorsOptions {
  /** The process that it belongs to. */
  kind: 'gateway' | 'workers';
  config: OperatorsConfig;
  log: FastifyBaseLogger;
  /** Readiness checks. Read at each request: checks may be added later. */
  checks: HealthChecks;
  registry: Registry;
  /** Further pages, with the same authentication. */
  pages?: readonly FastifyPluginAsync[];
}

/**
 * Builds the operators' (admin) server, which has its own port: health checks, Prometheus metrics, and
 * `pages`. The process that builds it calls `listenForOperators`, and closes it last.
 */
export async function buildOperatorsApp({
  kind,
  config,
  log,
  checks,
  registry,
  pages = [],
}: OperatorsOptions): Promise<FastifyInstance> {
  // The caller is identified by the connection alone: no proxy is in front of this port.
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
    return reply.status(status).send({ message: 'Internal error: see the log of this process.' });
  });

  const headers = helmetHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        // Bull Board sets inline styles.
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:'],
        'form-action': ["'self'"],
        'base-uri': ["'self'"],
        'frame-ancestors': ["'none'"],
        'object-src': ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // The port is on the private network only, without TLS.
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
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

/** @returns the port; chosen by the system where `OPERATORS_PORT` is 0 */
export async function listenForOperators(
  app: FastifyInstance,
  { OPERATORS_HOST: host, OPERATORS_PORT: port }: OperatorsConfig,
): Promise<number> {
  await app.listen({ host, port, listenTextResolver: (address) => `Operators: ${address}` });
  const [address] = app.addresses();
  return typeof address === 'object' ? address.port : port;
}
