import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Database } from '@proveklar/services/database/pool.ts';
import { countOutbox, oldestUnconsumedSeconds } from '@proveklar/services/events/backlog.ts';
import type { JobQueue } from '@proveklar/services/events/queue-backend.ts';
import { inTime } from '@proveklar/services/lifecycle/in-time.ts';

const PATIENCE_MS = 2_000;

/**
 * The figures that Prometheus collects. A part that does not answer leaves its figures out, and the
 * others are there all the same: they matter most while something is down.
 */
export function createMetrics(db: Database, queues: ReadonlyMap<string, JobQueue>): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: () => Promise<number | undefined>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await inTime(PATIENCE_MS, read());
        this.reset();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  gauge('proveklar_outbox_events', 'Events that wait in the outbox', () => countOutbox(db));
  gauge(
    'proveklar_oldest_unconsumed_seconds',
    'Age of the oldest event that some queue has not consumed',
    () => oldestUnconsumedSeconds(db),
  );
  new Gauge({
    name: 'proveklar_jobs',
    help: 'Jobs of a queue by state; none while the queue does not answer',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      const reads = [...queues].map(async ([queue, jobs]) => {
        const counts = jobs.getJobCounts('waiting', 'active', 'delayed', 'failed');
        for (const [state, count] of Object.entries((await inTime(PATIENCE_MS, counts)) ?? {})) {
          this.set({ queue, state }, count);
        }
      });
      await Promise.all(reads);
    },
  });
  return registry;
}
