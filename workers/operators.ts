import Fastify, { type FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { isReachable } from '@proveklar/services/database/is-reachable.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { readBacklog } from '@proveklar/services/events/backlog.ts';
import type { JobQueue } from '@proveklar/services/events/queue-backend.ts';

/** What operators look at: health, and figures for Prometheus. For loopback or a private network. */
export function buildOperatorsApp(
  db: Database,
  queues: ReadonlyMap<string, JobQueue>,
): FastifyInstance {
  const app = Fastify();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'proveklar_outbox_events',
    help: 'Events that wait in the outbox',
    registers: [registry],
    async collect() {
      this.set((await readBacklog(db)).outbox_events);
    },
  });
  new Gauge({
    name: 'proveklar_oldest_unconsumed_seconds',
    help: 'Age of the oldest event that some queue has not consumed',
    registers: [registry],
    async collect() {
      this.set((await readBacklog(db)).oldest_unconsumed_seconds);
    },
  });
  new Gauge({
    name: 'proveklar_jobs',
    help: 'Jobs of a queue by state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      for (const [queue, jobs] of queues) {
        const counts = await jobs.getJobCounts('waiting', 'active', 'delayed', 'failed');
        for (const [state, count] of Object.entries(counts)) this.set({ queue, state }, count);
      }
    },
  });

  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  app.get('/health/live', async () => ({ status: 'ok' }));
  app.get('/health/ready', async (_request, reply) =>
    (await isReachable(db)) ? { status: 'ok' } : reply.status(503).send({ status: 'unavailable' }),
  );
  return app;
}
