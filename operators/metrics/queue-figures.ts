import type { Registry } from 'prom-client';
import {
  eventsTaken,
  jobDuration,
  jobsFailed,
  jobsStalled,
} from '@proveklar/services/counters/counters.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { readBacklog, readCanaryAges } from '@proveklar/services/events/queue-health.ts';
import { EVENTS, QUEUES, type QueueName } from '@proveklar/services/events/catalogue.ts';
import type { JobQueue } from '@proveklar/services/events/queue-backend.ts';
import { readOpenRejections } from '@proveklar/services/events/rejected-events.ts';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';
import { addGauge, kept, type Reading, single } from './read-gauge.ts';

const TIMEOUT_MS = 1_500;

// The first failure is a step from 0: a rate cannot be told from a series that begins at 1.
for (const event of Object.keys(EVENTS)) eventsTaken.inc({ event }, 0);
for (const queue of QUEUES) {
  jobsFailed.inc({ queue }, 0);
  jobsStalled.inc({ queue }, 0);
  jobDuration.zero({ queue });
}

/** Adds what happens between an event and its end: outbox, queues, jobs, canaries. */
export function addQueueFigures(
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
  const ages = kept(() => readCanaryAges(db));
  addGauge(registry, {
    name: 'proveklar_canary_age_seconds',
    help: 'Since an event last came through the queue to its end; one is sent every 10 s',
    labelNames: ['queue'],
    read: async () =>
      [...((await ages()) ?? [])].flatMap(([queue, age]) =>
        age === null ? [] : [{ labels: { queue }, value: age }],
      ),
  });
  const rejections = kept(() => readOpenRejections(db));
  addGauge(registry, {
    name: 'proveklar_rejected_events',
    help: 'Events that the queue could not take, and that wait for an operator',
    labelNames: ['queue'],
    read: async () =>
      Object.entries((await rejections())?.byQueue ?? {}).map(([queue, value]) => ({
        labels: { queue },
        value,
      })),
  });
}

function addBacklog(registry: Registry, db: Database): void {
  const backlog = kept(() => readBacklog(db));
  addGauge(registry, {
    name: 'proveklar_outbox_events',
    help: 'Events that no relay has taken; counted up to 100,001',
    read: async () => single((await backlog())?.outboxEvents),
  });
  addGauge(registry, {
    name: 'proveklar_outbox_oldest_seconds',
    help: 'Age of the oldest of them; 0 when there is none',
    read: async () => single((await backlog())?.outboxOldestSeconds),
  });
  addGauge(registry, {
    name: 'proveklar_oldest_unconsumed_seconds',
    help: 'Age of the oldest event that some queue has not consumed; 0 when there is none',
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
  const jobs = kept(() => ofEach(queues, readJobs));
  const paused = kept(() => ofEach(queues, readPaused));
  addGauge(registry, {
    name: 'proveklar_jobs',
    help: 'Jobs of a queue by state; none while the queue does not answer',
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

async function readJobs(queue: JobQueue): Promise<Reading[]> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
  return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));
}

async function readPaused(queue: JobQueue): Promise<Reading[]> {
  return [{ value: (await queue.isPaused()) ? 1 : 0 }];
}

/** The readings of all queues that answer. */
async function ofEach(
  queues: ReadonlyMap<QueueName, JobQueue>,
  read: (queue: JobQueue) => Promise<Reading[]>,
): Promise<Reading[]> {
  const all = [...queues].map(async ([name, queue]) => {
    const readings = (await tryWithTimeout(TIMEOUT_MS, read(queue))) ?? [];
    return readings.map(({ labels, value }) => ({ labels: { queue: name, ...labels }, value }));
  });
  return (await Promise.all(all)).flat();
}
