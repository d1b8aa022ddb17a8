import type { Registry } from 'prom-client';
import {
  eventsTaken,
  jobDuration,
  jobsFailed,
  jobsStalled,
} from '@proveklar/services/counters/counters.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { readBacklog, readCanaryAges } from '@proveklar/services/events/queue-health.ts';
import { EVENTS, type QueueName, QUEUES } from '@proveklar/services/events/catalogue.ts';
import { countJobs, type JobQueue } from '@proveklar/services/events/queue-backend.ts';
import { readOpenRejections } from '@proveklar/services/events/rejected-events.ts';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';
import { addGauge, cachedReading, type Sample, single } from './read-gauge.ts';

const TIMEOUT_MS = 1_500;

// Starts each series at 0, so that the first failure is a step: Prometheus computes no rate otherwise.
for (const event of Object.keys(EVENTS)) eventsTaken.inc({ event }, 0);
for (const queue of QUEUES) {
  jobsFailed.inc({ queue }, 0);
  jobsStalled.inc({ queue }, 0);
  jobDuration.zero({ queue });
}

/** Adds metrics of the outbox, queues, jobs and canaries. */
export function addQueueMetrics(
  registry: Registry,
  db: Database,
  queues: ReadonlyMap<QueueName, JobQueue>,
): void {
  registry.registerMetric(eventsTaken);
  registry.registerMetric(jobsFailed);
  registry.registerMetric(jobsStalled);
  registry.registerMetric(jobDuration);
  addBacklog(registry, db);
  addJobs(registry, queues);
  const ages = cachedReading(() => readCanaryAges(db));
  addGauge(registry, {
    name: 'proveklar_canary_age_seconds',
    help: 'Seconds since a canary event last went through the queue; one is sent every 10 s',
    labelNames: ['queue'],
    read: async () =>
      [...((await ages()) ?? [])].flatMap(([queue, age]) =>
        age === null ? [] : [{ labels: { queue }, value: age }],
      ),
  });
  const rejections = cachedReading(() => readOpenRejections(db));
  addGauge(registry, {
    name: 'proveklar_rejected_events',
    help: 'Open rejected events of the queue',
    labelNames: ['queue'],
    read: async () =>
      Object.entries((await rejections())?.byQueue ?? {}).map(([queue, value]) => ({
        labels: { queue },
        value,
      })),
  });
}

function addBacklog(registry: Registry, db: Database): void {
  const backlog = cachedReading(() => readBacklog(db));
  addGauge(registry, {
    name: 'proveklar_outbox_events',
    help: 'Events in the outbox that no relay has taken; counted up to 100,001',
    read: async () => single((await backlog())?.outboxEvents),
  });
  addGauge(registry, {
    name: 'proveklar_outbox_oldest_seconds',
    help: 'Age of the oldest event in the outbox; 0 when it is empty',
    read: async () => single((await backlog())?.outboxOldestSeconds),
  });
  addGauge(registry, {
    name: 'proveklar_oldest_unconsumed_seconds',
    help: 'Age of the oldest event that any queue has not consumed; 0 when there is none',
    read: async () => single((await backlog())?.oldestUnconsumedSeconds),
  });
  addGauge(registry, {
    name: 'proveklar_queue_oldest_seconds',
    help: 'Age of the oldest event that the queue has not consumed; 0 when there is none',
    labelNames: ['queue'],
    read: async () =>
      Object.entries((await backlog())?.oldestByQueue ?? {}).map(([queue, value]) => ({
        labels: { queue },
        value,
      })),
  });
}

function addJobs(registry: Registry, queues: ReadonlyMap<QueueName, JobQueue>): void {
  const jobs = cachedReading(() => sampleQueues(queues, readJobs));
  const paused = cachedReading(() => sampleQueues(queues, readPaused));
  addGauge(registry, {
    name: 'proveklar_jobs',
    help: 'Jobs of a queue by state; no value while the queue does not answer',
    labelNames: ['queue', 'state'],
    read: jobs,
  });
  addGauge(registry, {
    name: 'proveklar_queue_paused',
    help: '1 when an operator has paused the queue',
    labelNames: ['queue'],
    read: paused,
  });
}

async function readJobs(queue: JobQueue): Promise<Sample[]> {
  return Object.entries(await countJobs(queue)).map(([state, value]) => ({
    labels: { state },
    value,
  }));
}

async function readPaused(queue: JobQueue): Promise<Sample[]> {
  return [{ value: (await queue.isPaused()) ? 1 : 0 }];
}

/** The samples of all queues that answer. */
async function sampleQueues(
  queues: ReadonlyMap<QueueName, JobQueue>,
  read: (queue: JobQueue) => Promise<Sample[]>,
): Promise<Sample[]> {
  const all = [...queues].map(async ([name, queue]) => {
    const samples = (await tryWithTimeout(TIMEOUT_MS, read(queue))) ?? [];
    return samples.map(({ labels, value }) => ({ labels: { queue: name, ...labels }, value }));
  });
  return (await Promise.all(all)).flat();
}
