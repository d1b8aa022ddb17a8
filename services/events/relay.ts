import type { Logger } from 'pino';
import type { Database } from '#database/pool.ts';
import { countWorkers } from '#database/processes.ts';
import { jobTelemetry } from '#tracing/tracing.ts';
import { CANARY, type QueueName } from './catalogue.ts';
import { loop } from './loop.ts';
import {
  type Delivery,
  detectLoss,
  findOverdue,
  findUnpublished,
  markPublished,
  pruneBatches,
  takeEvents,
} from './outbox.ts';
import type { JobQueue, QueueBackend } from './queue-backend.ts';
import { applyPauses } from './queue-pauses.ts';
import { pruneRejected } from './rejected-events.ts';

interface RelayDeps {
  db: Database;
  backend: QueueBackend;
  queues: ReadonlyMap<QueueName, JobQueue>;
  log: Logger;
}

/** How often all relays together poll the outbox on average. */
const POLL_INTERVAL_MS = 40;
/**
 * Under load the relays together pause for longer, up to this: fewer and larger batches then cost less for each event, and
 * screens still have theirs within a second.
 */
const MAX_BUSY_PAUSE_MS = 250;
/** Milliseconds for each event of a round: from 250 events a second on, the pauses grow until they are the longest. */
const BUSY_PAUSE_PER_EVENT_MS = 4;
/** Bounds the interval of one relay, because learners wait for their payment's events. */
const MAX_RELAYS = 8;
/**
 * Events taken at once. Those of one name that allow it become one job, which has costs of its own (its commit, its
 * place in the queue, the counts of its questions): with 1,000 instead, an answer of a backlog takes a quarter more CPU time.
 */
const TAKE_LIMIT = 2_000;
/** How soon the relays together notice a lost or recovered queue. */
const SWEEP_INTERVAL_MS = 1_000;
/** A delivery that is unpublished for this long has lost its relay. */
const UNPUBLISHED_TIMEOUT_S = 2;
/** A delivery that is not consumed after this long is published again. */
const OVERDUE_TIMEOUT_S = 30;
/** Redis searches a list of jobs for one. Most overdue jobs wait in a longer one, and are not lost. */
const MAX_SEARCHED_JOBS = 1_000;
const MAINTENANCE_INTERVAL_MS = 5_000;
const COUNT_INTERVAL_MS = 5_000;
/** A job that failed on all attempts is retried after this long: the outage may be over. */
const FAILED_JOB_RETRY_DELAY_MS = 60_000;
/** A job that failed this far in the future failed in a worker whose clock was ahead. */
const MAX_CLOCK_DIFFERENCE_MS = 10_000;
const KEEP_BATCHES_DAYS = 30;
const PRUNE_LIMIT = 1_000;

/**
 * Moves events from the outbox to the queues until it is stopped. PostgreSQL is the source of truth:
 * the sweep publishes again whatever the relay or the queue loses, consuming is idempotent, and a queue
 * is paused and resumed as the database says.
 */
export function startRelay({ db, backend, queues, log }: RelayDeps) {
  /** The number of relays that share the outbox: one in each worker process. */
  let relays = 1;
  /** The events of a round, averaged over the last ones: a relay that comes right after another finds few. */
  let taken = 0;
  const stopping = new AbortController();
  const { signal } = stopping;
  const together = (intervalMs: number) => () => sharedPauseMs(intervalMs, relays);
  const swept = { signal, log, pauseMs: together(SWEEP_INTERVAL_MS) };

  async function publish(deliveries: Delivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const byQueue = Map.groupBy(deliveries, (delivery) => delivery.queue);
    await Promise.all(
      [...byQueue].map(([name, batch]) => addJobs(queues.get(name)!, batch.map(toJob))),
    );
    await markPublished(db, deliveries);
  }

  const relaying = loop(
    'relay',
    { signal, log, pauseMs: () => pollIntervalMs(relays, { taken }) },
    async () => {
      const { events, deliveries } = await takeEvents(db, TAKE_LIMIT);
      taken += (events - taken) / 4;
      await publish(deliveries);
      return events === TAKE_LIMIT;
    },
  );
  const sweeping = loop('sweep', swept, async () => {
    const unpublished = await findUnpublished(db, UNPUBLISHED_TIMEOUT_S, TAKE_LIMIT);
    await publish(unpublished);
    return unpublished.length === TAKE_LIMIT;
  });
  const detecting = loop('queue state', swept, async () => {
    const lost = await detectLoss(db, backend);
    if (lost !== null) log.warn({ deliveries: lost }, 'the queue lost jobs');
    return false;
  });
  const requeueing = loop('requeue', swept, async () => {
    // Usually there is none, and the states of all queues need not be read.
    if ((await findOverdue(db, OVERDUE_TIMEOUT_S, 1)).length === 0) return false;
    const paused = await findPaused(queues);
    // Only one batch per round: usually the deliveries are not lost but wait in a long queue.
    const overdue = await findOverdue(db, OVERDUE_TIMEOUT_S, TAKE_LIMIT, paused);
    if (overdue.length === 0) return false;
    log.warn({ deliveries: overdue.length }, 'overdue deliveries queued again');
    if (backend.name === 'redis') await removeLostJobs(queues, overdue);
    await publish(overdue);
    return false;
  });
  const pausing = loop('pauses', swept, async () => {
    await applyPauses(db, queues, log);
    return false;
  });
  const counting = loop('relays', { signal, log, pauseMs: COUNT_INTERVAL_MS }, async () => {
    relays = await countWorkers(db);
    return false;
  });
  const maintaining = loop(
    'maintenance',
    { signal, log, pauseMs: together(MAINTENANCE_INTERVAL_MS) },
    async () => {
      await Promise.all([...queues.values()].map(retryFailed));
      await pruneBatches(db, KEEP_BATCHES_DAYS, PRUNE_LIMIT);
      await pruneRejected(db, KEEP_BATCHES_DAYS, PRUNE_LIMIT);
      return false;
    },
  );

  return {
    /** Ends after the current round. */
    async stop(): Promise<void> {
      stopping.abort();
      const loops = [relaying, sweeping, detecting, requeueing, pausing, counting, maintaining];
      await Promise.all(loops);
    },
  };
}

/**
 * How long a relay pauses after a round: longer after more events. Several relays so make as few batches as one; a batch
 * costs more than its events.
 *
 * @param taken the events of a round, on average
 */
export function pollIntervalMs(relays: number, { taken = 0, random = Math.random() } = {}): number {
  return sharedPauseMs(
    Math.max(POLL_INTERVAL_MS, Math.min(taken * BUSY_PAUSE_PER_EVENT_MS, MAX_BUSY_PAUSE_MS)),
    relays,
    random,
  );
}

/** The pause of each relay, with jitter, so that all of them together make a round every `intervalMs` on average. */
function sharedPauseMs(intervalMs: number, relays: number, random = Math.random()): number {
  return relays <= 1 ? intervalMs : intervalMs * Math.min(relays, MAX_RELAYS) * (0.5 + random);
}

async function findPaused(queues: ReadonlyMap<QueueName, JobQueue>): Promise<QueueName[]> {
  const paused = await Promise.all(
    [...queues].map(async ([name, queue]) => ((await queue.isPaused()) ? [name] : [])),
  );
  return paused.flat();
}

/**
 * Removes what Redis has left of jobs that it will never run: their ids would be ignored when they are published again.
 * A script of BullMQ that runs out of memory halfway leaves a job in no list. And a job may be completed although its
 * batch is not consumed: PostgreSQL was restored from a backup.
 */
async function removeLostJobs(
  queues: ReadonlyMap<QueueName, JobQueue>,
  overdue: readonly Delivery[],
): Promise<void> {
  for (const [name, deliveries] of Map.groupBy(overdue, ({ queue }) => queue)) {
    const queue = queues.get(name)!;
    const { completed: _, failed: __, ...open } = await queue.getJobCounts();
    const count = Object.values(open).reduce((sum, jobs) => sum + jobs, 0);
    if (count > MAX_SEARCHED_JOBS) continue;
    for (const { batch_id: id } of deliveries) {
      const state = await queue.getJobState(id);
      if (state === 'unknown' || state === 'completed') await queue.remove(id);
    }
  }
}

async function retryFailed(queue: JobQueue): Promise<void> {
  const now = Date.now();
  // BullMQ writes the time of the worker's clock: a job would wait for as long as that was ahead.
  const [newest] = await queue.getFailed(0, 0);
  if (!newest) return;
  const failedAt = newest.finishedOn ?? 0;
  const isAhead = failedAt > now + MAX_CLOCK_DIFFERENCE_MS;
  const timestamp = isAhead ? failedAt : now - FAILED_JOB_RETRY_DELAY_MS;
  await queue.retryJobs({ state: 'failed', count: TAKE_LIMIT, timestamp });
}

/** BullMQ adds jobs in bulk by temporary tables of PostgreSQL, which takes as long as adding seven of them. */
const MAX_SINGLE_JOBS = 4;

async function addJobs(queue: JobQueue, jobs: readonly ReturnType<typeof toJob>[]): Promise<void> {
  if (jobs.length > MAX_SINGLE_JOBS) await queue.addBulk([...jobs]);
  else for (const { name, data, opts } of jobs) await queue.add(name, data, opts);
}

function toJob({ batch_id, event, trace }: Delivery) {
  return {
    name: event,
    data: { batch_id },
    opts: {
      // The queue ignores a job that it already has.
      jobId: batch_id,
      ...jobTelemetry(trace, event !== CANARY),
      attempts: 8,
      backoff: { type: 'exponential', delay: 500 },
      // Consumed batches are in the database. Failed jobs stay for inspection and retry.
      removeOnComplete: { count: 1_000 },
      removeOnFail: false,
    },
  };
}
