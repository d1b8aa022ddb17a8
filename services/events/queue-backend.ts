import {
  createPostgresBackend,
  createRedisBackend,
  runMigrations,
  withBackend,
  type Processor,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { QueueName } from './catalogue.ts';

/** A job names a batch of events and never carries their contents. */
export interface BatchJob {
  batch_id: string;
}

export type BatchProcessor = Processor<BatchJob, void>;
export type ConsumerOptions = Pick<
  WorkerOptions,
  'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'autorun'
>;

export type JobQueue = ReturnType<QueueBackend['openQueue']>;
export type JobWorker = ReturnType<QueueBackend['openWorker']>;
export type QueueBackend = ReturnType<typeof openQueueBackend>;

// The braces keep all keys of the service in one slot of a Redis Cluster.
const REDIS_PREFIX = '{proveklar}';
export const POSTGRES_SCHEMA = 'bullmq';
// BullMQ's own back-off grows to 20 s; a queue should be back a second after Redis is.
const retryStrategy = (attempt: number) => Math.min(attempt * 100, 1_000);

/**
 * Opens the queues' connections: Redis for a `redis://` address, PostgreSQL for a `postgres://` one.
 *
 * @param onError hears of connections that break; they reconnect by themselves
 */
export function openQueueBackend(queueUrl: string, onError: (error: Error) => void) {
  return queueUrl.startsWith('redis')
    ? openRedis(queueUrl, onError)
    : openPostgres(queueUrl, onError);
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

function openRedis(queueUrl: string, onError: (error: Error) => void) {
  const { Queue, Worker } = withBackend(createRedisBackend);
  // A producer fails at once while Redis is away: the outbox keeps the event and tries again.
  const producer = new Redis(queueUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    retryStrategy,
  });
  const consumer = new Redis(queueUrl, { maxRetriesPerRequest: null, retryStrategy });
  for (const connection of [producer, consumer]) connection.on('error', onError);
  return {
    name: 'redis' as const,
    openQueue(name: QueueName) {
      const queue = new Queue<BatchJob>(name, { connection: producer, prefix: REDIS_PREFIX });
      queue.on('error', onError);
      return queue;
    },
    openWorker(name: QueueName, processor: BatchProcessor, options: ConsumerOptions) {
      const worker = new Worker<BatchJob, void>(name, processor, {
        ...options,
        connection: consumer,
        prefix: REDIS_PREFIX,
      });
      worker.on('error', onError);
      return worker;
    },
    async close() {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}

function openPostgres(queueUrl: string, onError: (error: Error) => void) {
  const { Queue, Worker } = withBackend(createPostgresBackend);
  const pool = new pg.Pool({
    connectionString: queueUrl,
    application_name: 'proveklar-queues',
    max: 20,
    keepAlive: true,
    // BullMQ takes the schema of a pool that it was given from the search path.
    options: `-c search_path=${POSTGRES_SCHEMA}`,
  });
  pool.on('error', onError);
  return {
    name: 'postgres' as const,
    openQueue(name: QueueName) {
      const queue = new Queue<BatchJob>(name, { connection: pool });
      queue.on('error', onError);
      return queue;
    },
    openWorker(name: QueueName, processor: BatchProcessor, options: ConsumerOptions) {
      const worker = new Worker<BatchJob, void>(name, processor, { ...options, connection: pool });
      worker.on('error', onError);
      return worker;
    },
    async close() {
      await pool.end();
    },
  };
}
