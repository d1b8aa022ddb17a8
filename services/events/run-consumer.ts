import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import type { Logger } from 'pino';
import { jobDuration, jobsFailed, jobsStalled } from '#counters/counters.ts';
import type { Database, Transaction } from '#database/pool.ts';
import { safeError } from '#logging/scrub.ts';
import { inRequestContext, readTrace, type RequestContext } from '#tracing/request-context.ts';
import { tracing } from '#tracing/tracing.ts';
import {
  CANARY,
  type DeliveredEvent,
  type EventName,
  type EventOf,
  EVENTS,
  type QueueName,
} from './catalogue.ts';
import {
  type Batch,
  consumeBySplitting,
  consumeOnce,
  type DeliveryKey,
  MissingBatchError,
  readBatch,
  shouldSplitBatch,
} from './consume.ts';
import type { BatchJob, JobWorker, QueueBackend } from './queue-backend.ts';
import { receiveCanary } from './queue-health.ts';
import { isDataError, rejectEvents, type Rejection } from './rejected-events.ts';

/** What a handler gets beside the events. */
export interface HandlerContext {
  /**
   * Applies the batch exactly once: `work` runs in the transaction that records the batch as consumed.
   * Every handler must call it, and must be idempotent outside of it. A handler of batched events does
   * all its work inside, because a batch with a failing event is split: the handler is then called for
   * its parts in one transaction.
   */
  once: (work: (tx: Transaction) => Promise<void>) => Promise<void>;
  /**
   * Aborted when the process stops, with a reason that requeues the job. Long work that commits in parts
   * throws the reason after a part.
   */
  signal: AbortSignal;
  log: Logger;
}

/** Ends the current attempt. The job runs again after the delay and the attempt does not count. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly delayMs: number;

  constructor(delayMs: number) {
    super(`Retry in ${delayMs} ms`);
    this.delayMs = delayMs;
  }
}

export type Handler<N extends EventName> = (
  events: DeliveredEvent<N>[],
  context: HandlerContext,
) => Promise<void>;

/** A handler that does idempotent work for one event after the other, and records the batch at the end. */
export function forEachEvent<N extends EventName>(
  work: (payload: DeliveredEvent<N>['payload'], context: HandlerContext) => Promise<void>,
): Handler<N> {
  return async (events, context) => {
    for (const { payload } of events) await work(payload, context);
    await context.once(async () => {});
  };
}

/** The consumer of a queue, with a handler for every event that the catalogue routes to it. */
export interface Consumer<Q extends QueueName> {
  queue: Q;
  /** Concurrent jobs in one process. */
  concurrency: number;
  /** How often a job may lose its worker before it fails; 5 by default. */
  maxStalls?: number;
  handlers: { [N in EventOf<Q>]: Handler<N> };
}

interface ConsumerDeps {
  db: Database;
  backend: QueueBackend;
  /** Aborted with a `RetryLater` when the process stops. */
  stopping: AbortSignal;
  log: Logger;
}

// The job of a worker that was killed or lost its database restarts after these times, not after
// BullMQ's default of a minute.
const LOCK_DURATION_MS = 6_000;
const STALLED_CHECK_INTERVAL_MS = 2_000;
const MAX_STALLS = 5;

/** Bounds the log line of a batch with many rejected events. */
const MAX_LOGGED_REASONS = 5;

/** For the log line of a failed job. */
const requestsOfJobs = new WeakMap<Job, RequestsOf['fields']>();

/** Opens a worker on a queue. A job that failed on all attempts stays in the queue; the relay retries it every minute. */
export function runConsumer<Q extends QueueName>(
  deps: ConsumerDeps,
  consumer: Consumer<Q>,
): JobWorker {
  const log = deps.log.child({ queue: consumer.queue });
  const worker = deps.backend.openWorker(
    consumer.queue,
    async (job, token) => {
      const end = jobDuration.startTimer({ queue: consumer.queue });
      try {
        await work(deps, consumer, job, token ?? '');
      } catch (error) {
        throw toQueueError(error);
      } finally {
        if (job.name !== CANARY) end();
      }
    },
    {
      concurrency: consumer.concurrency,
      lockDuration: LOCK_DURATION_MS,
      stalledInterval: STALLED_CHECK_INTERVAL_MS,
      maxStalledCount: consumer.maxStalls ?? MAX_STALLS,
    },
  );
  worker.on('failed', (job: Job | undefined, error: Error) => {
    jobsFailed.inc({ queue: consumer.queue });
    const requests = job && requestsOfJobs.get(job);
    log.error(
      { err: error, job: job?.id, event: job?.name, attempt: job?.attemptsMade, ...requests },
      'failed',
    );
  });
  worker.on('stalled', () => jobsStalled.inc({ queue: consumer.queue }));
  return worker;
}

/** The queue stores an error's message and stack, so they must be safe. BullMQ's own errors control it. */
function toQueueError(error: unknown): Error {
  const isForBullMQ = error instanceof DelayedError || error instanceof UnrecoverableError;
  return isForBullMQ ? error : safeError(error);
}

async function work<Q extends QueueName>(
  { db, stopping, log }: ConsumerDeps,
  { queue, handlers }: Consumer<Q>,
  job: Job<BatchJob, void>,
  token: string,
): Promise<void> {
  const name = job.name as EventName;
  const { batch_id: batchId } = job.data;
  if (name === CANARY) {
    await consumeOnce(db, { batchId, queue }, (tx) => receiveCanary(tx, queue));
    return;
  }
  const handler = (handlers as Record<string, Handler<EventName> | undefined>)[name];
  if (!handler || !(name in EVENTS)) throw new UnrecoverableError(`No handler for ${name}`);
  const batch = await readBatch(db, batchId, name).catch((error: unknown) => {
    if (!(error instanceof MissingBatchError)) throw error;
    return null;
  });
  if (!batch) {
    // PostgreSQL was restored from a backup. Nothing in it waits for the job, and a failed one would be retried for ever.
    log.warn({ event: name, batch: batchId }, 'job without a batch');
    return;
  }
  const { events } = batch;
  const startedAt = performance.now();
  const requests = requestsOf(events);
  requestsOfJobs.set(job, requests.fields);
  const line = { queue, event: name, batch: batchId, events: events.length, ...requests.fields };
  const handlerLog = log.child({ queue, batch: batchId, ...requests.fields });
  const handle: Handle = (part, once) =>
    requests.run(() => handler(part, { once, signal: stopping, log: handlerLog }));
  try {
    const rejected = await consume(db, { batchId, name, queue }, batch, {
      handle,
      isLastAttempt: job.attemptsMade + 1 >= (job.opts.attempts ?? 1),
    });
    if (rejected.length > 0) {
      const reasons = [...new Set(rejected.map(({ reason }) => reason))].slice(
        0,
        MAX_LOGGED_REASONS,
      );
      log.error({ ...line, rejected: rejected.length, reasons }, 'events rejected');
    }
    log.info({ ...line, ms: Math.round((performance.now() - startedAt) * 10) / 10 }, 'job');
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
    await job.moveToDelayed(Date.now() + Math.ceil(error.delayMs), token);
    throw new DelayedError();
  }
}

type Handle = (events: Batch<EventName>['events'], once: HandlerContext['once']) => Promise<void>;

/**
 * Passes the valid events of a batch to its handler. Rejects the invalid ones, and those on which the
 * handler fails because of their data. An event that is alone in its job is rejected only on the last
 * attempt, because the conflict may be transient. A batch on which our code fails is split only on the
 * last attempt: then the events that fail alone are rejected, unless all fail.
 *
 * @returns the rejected events
 */
async function consume(
  db: Database,
  key: DeliveryKey,
  batch: Batch<EventName>,
  { handle, isLastAttempt }: { handle: Handle; isLastAttempt: boolean },
): Promise<readonly Rejection[]> {
  const { events, invalid } = batch;
  let isFirst = false;
  const once = async (apply: (tx: Transaction) => Promise<void>) => {
    isFirst = await consumeOnce(db, key, async (tx) => {
      await rejectEvents(tx, key, invalid);
      await apply(tx);
    });
  };
  try {
    await (events.length === 0 ? once(async () => {}) : handle(events, once));
    return isFirst ? invalid : [];
  } catch (error) {
    if (!shouldSplitBatch(error, isLastAttempt)) throw error;
    if (events.length === 1 && !(isLastAttempt && isDataError(error))) throw error;
    const applyPart = (tx: Transaction, part: typeof events) => handle(part, (apply) => apply(tx));
    const rejected = await consumeBySplitting(db, key, batch, error, applyPart, { isLastAttempt });
    return rejected ?? [];
  }
}

/** The requests that caused a job's events. */
interface RequestsOf {
  /** For the job's log lines: the id of the only request, or the number of requests. */
  fields: { request_id?: string; requests?: number; trace_id?: string };
  /** Runs the work in the context of the only request, so that its own events name that request. */
  run: <T>(work: () => T) => T;
}

/** Reads the requests of a job's events, and links their traces to the job's. */
function requestsOf(events: readonly { trace?: unknown }[]): RequestsOf {
  const contexts = events.flatMap(({ trace }) => readTrace(trace) ?? []);
  const traceparent = tracing()?.traceparent();
  tracing()?.link(contexts.flatMap((context) => context.traceparent ?? []));
  const traced = traceparent && { trace_id: traceparent.split('-')[1]! };
  const ids = new Set(contexts.map((context) => context.request_id));
  const [first] = contexts;
  if (!first) return { fields: { ...traced }, run: (work) => work() };
  if (ids.size > 1) return { fields: { requests: ids.size, ...traced }, run: (work) => work() };
  const context: RequestContext = { ...first, ...(traceparent && { traceparent }) };
  return {
    fields: { request_id: first.request_id, ...traced },
    run: (work) => inRequestContext(context, work),
  };
}
