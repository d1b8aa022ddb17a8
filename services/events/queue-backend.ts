import {
  createRedisBackend,
  type Processor,
  runMigrations,
  withBackend,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { tracing } from '#tracing/tracing.ts';
import type { QueueName } from './catalogue.ts';
import { createRetryingPostgresBackend, pausingAfterErrors } from './retrying-backends.ts';

/** A job names a batch of events and never carries their contents. */
export interface BatchJob {
  batch_id: string;
}

export type BatchProcessor = Processor<BatchJob, void>;

export type ConsumerOptions = Pick<
  WorkerOptions,
  'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'autorun'
>;

/** Who hears of the queues' connections. */
export interface ConnectionListener {
  /** One broke, or could not be made; it is tried again, many times a second. */
  failed: (error: Error) => void;
  /** One was made. */
  mended: () => void;
}

export type JobQueue = ReturnType<QueueBackend['openQueue']>;

export type JobWorker = ReturnType<QueueBackend['openWorker']>;

export type QueueBackend = ReturnType<typeof openQueueBackend>;

// The braces keep all keys of the service in one slot of a Redis Cluster.
const REDIS_PREFIX = '{proveklar}';

export const POSTGRES_SCHEMA = 'bullmq';

// BullMQ's own back-off grows to 20 s; a queue should be back a second after Redis is.
const MAX_RETRY_MS = 1_000;

/**
 * Opens the queues' connections: Redis for a `redis://` address, PostgreSQL for a `postgres://` one.
 *
 * @param connections hears of connections that break; they are made again by themselves
 */
export function openQueueBackend(
  queueUrl: string,
  connections: ConnectionListener = { failed: () => {}, mended: () => {} },
) {
  return queueUrl.startsWith('redis')
    ? openRedis(queueUrl, connections)
    : openPostgres(queueUrl, connections);
}

/** Longer than any relay is silent whose generation is still the one. */
const MARK_KEPT_S = 7 * 24 * 60 * 60;

function openRedis(queueUrl: string, { failed, mended }: ConnectionListener) {
  const { Queue, Worker } = withBackend(pausingAfterErrors(createRedisBackend));
  // A producer fails at once while Redis is away: the outbox keeps the event and tries again.
  const producer = new Redis(queueUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    retryStrategy,
  });
  const consumer = new Redis(queueUrl, { maxRetriesPerRequest: null, retryStrategy });
  for (const connection of [producer, consumer]) {
    connection.on('error', failed).on('ready', mended);
  }
  let isUninterrupted = true;
  producer.on('close', () => {
    isUninterrupted = false;
  });
  return {
    name: 'redis' as const,
    openQueue(name: QueueName) {
      const queue = new Queue<BatchJob>(name, {
        connection: producer,
        prefix: REDIS_PREFIX,
        ...traced(),
      });
      queue.on('error', failed);
      return queue;
    },
    openWorker(name: QueueName, processor: BatchProcessor, options: ConsumerOptions) {
      const worker = new Worker<BatchJob, void>(name, processor, {
        ...options,
        runRetryDelay: MAX_RETRY_MS,
        connection: consumer,
        prefix: REDIS_PREFIX,
        ...traced(),
      });
      worker.on('error', failed);
      return worker;
    },
    /**
     * Counts on, on a key of this generation, and returns how far: the next number; 1 where Redis no
     * longer has the key; and 0 after an interruption, because one that was killed, or gave way to a
     * replica, may have lost the last second.
     */
    async nextMark(generation: string): Promise<number | null> {
      const wasUninterrupted = isUninterrupted;
      const key = `${REDIS_PREFIX}:mark:${generation}`;
      isUninterrupted = true;
      try {
        const [reply] = (await producer.multi().incr(key).expire(key, MARK_KEPT_S).exec()) ?? [];
        const [error, mark] = reply ?? [new Error('Redis did not count')];
        if (error) throw error;
        return wasUninterrupted ? Number(mark) : 0;
      } catch (error) {
        isUninterrupted = false;
        throw error;
      }
    },
    /** What Redis does when its memory is full; null when it does not say. */
    async readEvictionPolicy(): Promise<string | null> {
      return /^maxmemory_policy:(\S+)/m.exec(await producer.info('memory'))?.[1] ?? null;
    },
    async close() {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}

const retryStrategy = (attempt: number) => Math.min(attempt * 100, MAX_RETRY_MS);

function openPostgres(queueUrl: string, { failed, mended }: ConnectionListener) {
  const { Queue, Worker } = withBackend(pausingAfterErrors(createRetryingPostgresBackend));
  const pool = new pg.Pool({
    connectionString: queueUrl,
    application_name: 'proveklar-queues',
    max: 20,
    keepAlive: true,
    // BullMQ takes the schema of a pool that it was given from the search path.
    options: `-c search_path=${POSTGRES_SCHEMA}`,
  });
  pool.on('error', failed).on('connect', mended);
  // Every queue and every worker listens to it: BullMQ adds its own, and no leak is meant by that.
  pool.setMaxListeners(0);
  return {
    name: 'postgres' as const,
    openQueue(name: QueueName) {
      const queue = new Queue<BatchJob>(name, { connection: pool, ...traced() });
      queue.on('error', failed);
      return queue;
    },
    openWorker(name: QueueName, processor: BatchProcessor, options: ConsumerOptions) {
      const worker = new Worker<BatchJob, void>(name, processor, {
        ...options,
        runRetryDelay: MAX_RETRY_MS,
        connection: pool,
        ...traced(),
      });
      worker.on('error', failed);
      return worker;
    },
    /** Null: what PostgreSQL acknowledged, it has. */
    async nextMark(_generation: string): Promise<number | null> {
      return null;
    },
    /** Null: PostgreSQL throws nothing away. */
    async readEvictionPolicy(): Promise<string | null> {
      return null;
    },
    async close() {
      await pool.end();
    },
  };
}

/** How BullMQ makes its spans, while traces are made. */
function traced() {
  const telemetry = tracing()?.telemetry;
  return telemetry && { telemetry };
}

/** Creates what the queues need before they can be opened. Safe to run by several processes. */
export async function prepareQueueBackend(queueUrl: string): Promise<void> {
  if (queueUrl.startsWith('redis')) return;
  const client = new pg.Client({ connectionString: queueUrl });
  await client.connect();
  try {
    await runMigrations(client, POSTGRES_SCHEMA);
  } finally {
    await client.end();
  }
}
