import { DelayedError, UnrecoverableError, type Job } from 'bullmq';
import type { Logger } from 'pino';
import { receiveCanary } from '@proveklar/services/events/canary.ts';
import {
  CANARY,
  EVENTS,
  type EventName,
  type QueueName,
} from '@proveklar/services/events/catalogue.ts';
import { BadPayloadError, consumeOnce, readBatch } from '@proveklar/services/events/consume.ts';
import type {
  BatchJob,
  JobWorker,
  QueueBackend,
} from '@proveklar/services/events/queue-backend.ts';
import type { Database, Transaction } from '@proveklar/services/database/pool.ts';
import { safeError } from '@proveklar/services/logging/safe-error.ts';
import { jobDuration, jobsFailed, jobsStalled } from '@proveklar/services/metrics/job-outcomes.ts';
import { RetryLater, type Consumer, type Handler } from './consumer.ts';
import { requestsOf, type RequestsOf } from './requests-of.ts';

export interface ConsumerDeps {
  db: Database;
  backend: QueueBackend;
  /** Aborted with a `RetryLater` when the process is to end. */
  stopping: AbortSignal;
  log: Logger;
}

// A job whose worker was killed, or lost its database in the middle, is taken up again after these, not
// after BullMQ's minute.
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 2_000;
const MOST_STALLS = 5;

/** For the line of one that fails. */
const requestsOfJobs = new WeakMap<Job, RequestsOf['fields']>();

/** Opens a worker on a queue. A job that fails for good stays in the queue for the operator. */
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
        throw forTheQueue(error);
      } finally {
        if (job.name !== CANARY) end();
      }
    },
    {
      concurrency: consumer.concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: consumer.mostStalls ?? MOST_STALLS,
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

/** The queue keeps the message and the stack of what it is thrown. BullMQ's own tell it what to do. */
function forTheQueue(error: unknown): Error {
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
    await consumeOnce(db, batchId, queue, (tx) => receiveCanary(tx, queue));
    return;
  }
  const handler = (handlers as Record<string, Handler<EventName> | undefined>)[name];
  if (!handler || !(name in EVENTS)) throw new UnrecoverableError(`No handler for ${name}`);
  const events = await readBatch(db, batchId, name).catch((error: unknown) => {
    throw error instanceof BadPayloadError ? new UnrecoverableError(error.message) : error;
  });
  const began = performance.now();
  const requests = requestsOf(events);
  requestsOfJobs.set(job, requests.fields);
  const line = { queue, event: name, batch: batchId, events: events.length, ...requests.fields };
  try {
    const once = async (apply: (tx: Transaction) => Promise<void>) => {
      await consumeOnce(db, batchId, queue, apply);
    };
    await requests.run(() =>
      handler(events, {
        once,
        signal: stopping,
        log: log.child({ queue, batch: batchId, ...requests.fields }),
      }),
    );
    log.info({ ...line, ms: Math.round((performance.now() - began) * 10) / 10 }, 'job');
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
    await job.moveToDelayed(Date.now() + Math.ceil(error.delayMs), token);
    throw new DelayedError();
  }
}
