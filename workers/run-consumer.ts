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
import type { Database } from '@proveklar/services/database/pool.ts';
import { jobDuration, jobsFailed, jobsStalled } from '@proveklar/services/metrics/job-outcomes.ts';
import { RetryLater, type Consumer, type Handler } from './consumer.ts';

export interface ConsumerDeps {
  db: Database;
  backend: QueueBackend;
  /** Aborted with a `RetryLater` when the process is to end. */
  stopping: AbortSignal;
  log: Logger;
}

// A killed worker's job is taken up by another after these, not after BullMQ's minute.
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const MOST_STALLS = 5;

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
      } finally {
        if (job.name !== CANARY) end();
      }
    },
    {
      concurrency: consumer.concurrency,
      lockDuration: consumer.lockMs ?? LOCK_MS,
      stalledInterval: consumer.stalledCheckMs ?? STALLED_CHECK_MS,
      maxStalledCount: consumer.mostStalls ?? MOST_STALLS,
    },
  );
  worker.on('failed', (job: Job | undefined, error: Error) => {
    jobsFailed.inc({ queue: consumer.queue });
    log.error({ err: error, job: job?.id, event: job?.name, attempt: job?.attemptsMade }, 'failed');
  });
  worker.on('stalled', () => jobsStalled.inc({ queue: consumer.queue }));
  return worker;
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
  try {
    await handler(events, {
      once: async (apply) => {
        await consumeOnce(db, batchId, queue, apply);
      },
      signal: stopping,
      log: log.child({ queue, batch: batchId }),
    });
  } catch (error) {
    if (!(error instanceof RetryLater)) throw error;
    await job.moveToDelayed(Date.now() + Math.ceil(error.delayMs), token);
    throw new DelayedError();
  }
}
