import Fastify, { type FastifyInstance } from 'fastify';
import { isReachable } from '@proveklar/services/database/is-reachable.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { JobQueue } from '@proveklar/services/events/queue-backend.ts';
import { inTime } from '@proveklar/services/lifecycle/in-time.ts';
import { createMetrics } from './metrics.ts';

const PATIENCE_MS = 2_000;

/** What operators look at: health, and figures for Prometheus. For loopback or a private network. */
export function buildOperatorsApp(
  db: Database,
  queues: ReadonlyMap<string, JobQueue>,
): FastifyInstance {
  const app = Fastify();
  const metrics = createMetrics(db, queues);

  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  );
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) => {
    const [queue] = queues.values();
    const [database, jobs] = await Promise.all([
      inTime(PATIENCE_MS, isReachable(db)),
      inTime(PATIENCE_MS, queue!.getJobCounts('active')),
    ]);
    const parts = { database: database === true, queues: jobs !== undefined };
    const ready = parts.database && parts.queues;
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', ...parts });
  });
  return app;
}
