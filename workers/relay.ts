import type { Logger } from 'pino';
import type { Database } from '@proveklar/services/database/pool.ts';
import { countWorkers } from '@proveklar/services/database/processes.ts';
import { CANARY, type QueueName } from '@proveklar/services/events/catalogue.ts';
import {
  type Delivery,
  findLoss,
  findOverdue,
  findUnpublished,
  markPublished,
  pruneBatches,
  takeEvents,
} from '@proveklar/services/events/outbox.ts';
import type { JobQueue, QueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { pruneRejected } from '@proveklar/services/events/rejected-events.ts';
import { jobTelemetry } from '@proveklar/services/tracing/tracing.ts';
import { loop } from './loop.ts';

export interface RelayDeps {
  db: Database;
  backend: QueueBackend;
  queues: ReadonlyMap<QueueName, JobQueue>;
  log: Logger;
}

/** How often the outbox is looked into, by all relays together and on average. */
const POLL_MS = 40;
/** No relay rests longer than among so many, for the sake of those who wait for a payment. */
const MAX_RELAYS = 8;
/** Events taken at once; those of one name that may travel together become one job. */
const TAKE = 500;
/** How soon it is noticed that a queue has lost what it had, or is back. */
const SWEEP_MS = 1_000;
/** A delivery that was in no queue for so long has lost its relay. */
const UNPUBLISHED_S = 2;
/** After so long without having been consumed, a delivery is handed over again. */
const OVERDUE_S = 30;
const TIDY_MS = 5_000;
/** A job that failed on all its tries gets new ones after this long: an outage ends some time. */
const RETRY_FAILED_MS = 60_000;
const KEEP_BATCHES_DAYS = 30;
const PRUNE = 1_000;

/**
 * Moves events from the outbox to the queues until it is told to stop. PostgreSQL stays the record:
 * whatever the relay or the queue loses, the sweep hands over again, and consuming is idempotent.
 */
export function startRelay({ db, backend, queues, log }: RelayDeps) {
  /** In these a job waits for an operator. */
  let paused: QueueName[] = [];
  /** That many relays share the outbox: one in each process of workers. */
  let relays = 1;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function publish(deliveries: Delivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const byQueue = Map.groupBy(deliveries, (delivery) => delivery.queue);
    await Promise.all(
      [...byQueue].map(([name, those]) => queues.get(name)!.addBulk(those.map(toJob))),
    );
    await markPublished(db, deliveries);
  }

  const relaying = loop('relay', { signal, log, pauseMs: () => restMs(relays) }, async () => {
    const { events, deliveries } = await takeEvents(db, TAKE);
    await publish(deliveries);
    return events === TAKE;
  });
  const sweeping = loop('sweep', { signal, log, pauseMs: SWEEP_MS }, async () => {
    const forgotten = await findUnpublished(db, UNPUBLISHED_S, TAKE);
    await publish(forgotten);
    return forgotten.length === TAKE;
  });
  const guarding = loop('queue state', { signal, log, pauseMs: SWEEP_MS }, async () => {
    const lost = await findLoss(db, backend);
    if (lost !== null) log.warn({ deliveries: lost }, 'the queue has lost something');
    return false;
  });
  const repeating = loop('overdue', { signal, log, pauseMs: SWEEP_MS }, async () => {
    // One handful at a time: most often they only wait their turn in a queue that is long.
    const overdue = await findOverdue(db, OVERDUE_S, TAKE, paused);
    if (overdue.length > 0) log.warn({ deliveries: overdue.length }, 'handed over again');
    await publish(overdue);
    return false;
  });
  const tidying = loop('tidy', { signal, log, pauseMs: TIDY_MS }, async () => {
    relays = await countWorkers(db);
    paused = await findPaused(queues);
    await Promise.all([...queues.values()].map(retryFailed));
    await pruneBatches(db, KEEP_BATCHES_DAYS, PRUNE);
    await pruneRejected(db, KEEP_BATCHES_DAYS, PRUNE);
    return false;
  });

  return {
    /** Ends after the round that is under way. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([relaying, sweeping, guarding, repeating, tidying]);
    },
  };
}

/**
 * How long a relay rests when it has left nothing behind: the longer the more of them there are, and not
 * in step. So events become as few batches as with one relay, and a batch costs more than its events.
 */
export function restMs(relays: number, random = Math.random()): number {
  return relays > 1 ? POLL_MS * Math.min(relays, MAX_RELAYS) * (0.5 + random) : POLL_MS;
}

async function findPaused(queues: ReadonlyMap<QueueName, JobQueue>): Promise<QueueName[]> {
  const found = await Promise.all(
    [...queues].map(async ([name, queue]) => ((await queue.isPaused()) ? [name] : [])),
  );
  return found.flat();
}

async function retryFailed(queue: JobQueue): Promise<void> {
  await queue.retryJobs({ state: 'failed', count: TAKE, timestamp: Date.now() - RETRY_FAILED_MS });
}

function toJob({ batch_id, event, trace }: Delivery) {
  return {
    name: event,
    data: { batch_id },
    opts: {
      // The queue ignores a job that it has already.
      jobId: batch_id,
      ...jobTelemetry(trace, event !== CANARY),
      attempts: 8,
      backoff: { type: 'exponential', delay: 500 },
      // Consumed batches are in the database; failed jobs stay, to be looked at and tried again.
      removeOnComplete: { count: 1_000 },
      removeOnFail: false,
    },
  };
}
