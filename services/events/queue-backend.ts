import {
  createRedisBackend,
  type JobType,
  type Processor,
  runMigrations,
  withBackend,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { tracing } from '#tracing/tracing.ts';
import { type QueueName, QUEUES } from './catalogue.ts';
import {
  createRetryingPostgresBackend,
  withErrorPause,
  withEarlierTime,
} from './retrying-backends.ts';

/** A job names a batch of events. It never carries their payloads. */
export interface BatchJob {
  batch_id: string;
}

export type BatchProcessor = Processor<BatchJob, void>;

export type ConsumerOptions = Pick<
  WorkerOptions,
  'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'autorun'
>;

/** Is called for each connection of the queues. */
interface ConnectionListener {
  /** A connection broke or could not be made. May be called many times a second during retries. */
  onError: (error: Error) => void;
  onRecovery: () => void;
}

export type JobQueue = ReturnType<QueueBackend['openQueue']>;

export type JobWorker = ReturnType<QueueBackend['openWorker']>;

export type QueueBackend = ReturnType<typeof openQueueBackend>;

// The braces keep all keys in one slot of a Redis Cluster.
const REDIS_PREFIX = '{proveklar}';

export const POSTGRES_SCHEMA = 'bullmq';

// BullMQ's own backoff grows to 20 s. A queue should be back one second after Redis is.
const MAX_RETRY_DELAY_MS = 1_000;

/**
 * Opens the queues' connections: Redis for a `redis://` address, PostgreSQL for a `postgres://` one.
 *
 * Broken connections are reopened.
 */
export function openQueueBackend(
  queueUrl: string,
  connections: ConnectionListener = { onError: () => {}, onRecovery: () => {} },
) {
  return queueUrl.startsWith('redis')
    ? openRedis(queueUrl, connections)
    : openPostgres(queueUrl, connections);
}

interface GenerationCount {
  /**
   * The new value of the counter: 1 when Redis no longer has the key; 0 after an interruption, until its loss is
   * recorded, because a Redis that was killed or failed over may have lost its last second.
   */
  count: number;
  /** Call it when PostgreSQL has recorded the loss. A later interruption is another one. */
  recordLoss: () => void;
}

/** Longer than the pause between two relays that use the same generation. */
const GENERATION_KEY_TTL_S = 7 * 24 * 60 * 60;

function openRedis(queueUrl: string, { onError, onRecovery }: ConnectionListener) {
  // A producer fails at once while Redis is down: the outbox keeps the event for a retry.
  const producer = new Redis(queueUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    retryStrategy,
  });
  const consumer = new Redis(queueUrl, { maxRetriesPerRequest: null, retryStrategy });
  for (const connection of [producer, consumer]) {
    connection.on('error', onError).on('ready', onRecovery);
  }
  const redisTime = async () => {
    const [seconds, microseconds] = await consumer.time();
    return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
  };
  const { Queue, Worker } = withBackend(
    withEarlierTime(withErrorPause(createRedisBackend), redisTime),
  );
  let interruptions = 0;
  let recordedInterruptions = 0;
  producer.on('close', () => {
    interruptions += 1;
  });
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
        runRetryDelay: MAX_RETRY_DELAY_MS,
        connection: consumer,
        prefix: REDIS_PREFIX,
        ...telemetryOptions(),
      });
      worker.on('error', onError);
      return worker;
    },
    /** Increments the counter of this generation. */
    async incrementGeneration(generation: string): Promise<GenerationCount | null> {
      const seen = interruptions;
      const key = `${REDIS_PREFIX}:mark:${generation}`;
      try {
        const replies = await producer.multi().incr(key).expire(key, GENERATION_KEY_TTL_S).exec();
        const [error, count] = replies?.[0] ?? [new Error('Redis did not increment the counter')];
        if (error) throw error;
        return {
          count: seen === recordedInterruptions ? Number(count) : 0,
          recordLoss: () => {
            recordedInterruptions = seen;
          },
        };
      } catch (error) {
        interruptions += 1;
        throw error;
      }
    },
    /** What Redis does when its memory is full; null when the server does not report it. */
    async readEvictionPolicy(): Promise<string | null> {
      return /^maxmemory_policy:(\S+)/m.exec(await producer.info('memory'))?.[1] ?? null;
    },
    async close() {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}

// Each worker listens on a connection of its own; the others run the statements of all queues. With eight more, a
// process that starts counted an eighth fewer answers: each connection compiles BullMQ's functions again.
const POSTGRES_CONNECTIONS = QUEUES.length + 3;

const retryStrategy = (attempt: number) => Math.min(attempt * 100, MAX_RETRY_DELAY_MS);

function openPostgres(queueUrl: string, { onError, onRecovery }: ConnectionListener) {
  const pool = new pg.Pool({
    connectionString: queueUrl,
    application_name: 'proveklar-queues',
    max: POSTGRES_CONNECTIONS,
    // With pg's ten seconds, a queue that has rested begins with new connections.
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // When given a pool, BullMQ takes the schema from the search path.
    options: `-c search_path=${POSTGRES_SCHEMA}`,
  });
  pool.on('error', onError).on('connect', onRecovery);
  // BullMQ adds a listener for every queue and worker. That is no leak.
  pool.setMaxListeners(0);
  const postgresTime = async () => {
    const { rows } = await pool.query<{ now: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
    );
    return Math.floor(rows[0]!.now);
  };
  const { Queue, Worker } = withBackend(
    withEarlierTime(withErrorPause(createRetryingPostgresBackend), postgresTime),
  );
  return {
    name: 'postgres' as const,
    openQueue(name: QueueName) {
      const queue = new Queue<BatchJob>(name, { connection: pool });
      queue.on('error', onError);
      return queue;
    },
    openWorker(name: QueueName, processor: BatchProcessor, options: ConsumerOptions) {
      const worker = new Worker<BatchJob, void>(name, processor, {
        ...options,
        runRetryDelay: MAX_RETRY_DELAY_MS,
        connection: pool,
        ...telemetryOptions(),
      });
      worker.on('error', onError);
      return worker;
    },
    /** Null: PostgreSQL does not lose what it acknowledged. */
    async incrementGeneration(_generation: string): Promise<GenerationCount | null> {
      return null;
    },
    /** Null: PostgreSQL evicts nothing. */
    async readEvictionPolicy(): Promise<string | null> {
      return null;
    },
    async close() {
      await pool.end();
    },
  };
}

/**
 * The jobs of a queue by state. On PostgreSQL BullMQ 6 counts those that wait in a paused queue as `paused`, on Redis
 * as `waiting`.
 */
export async function countJobs(queue: JobQueue) {
  const counts = await queue.getJobCounts(
    'waiting',
    // Missing in BullMQ's type, which knows Redis only.
    'paused' as JobType,
    'prioritized',
    'active',
    'delayed',
    'failed',
  );
  const { waiting = 0, paused = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
  return { waiting: waiting + paused + prioritized, active, delayed, failed };
}

/**
 * Makes a worker emit a span for each job when tracing is on. Queues have none: with it, BullMQ's `add` replaces the
 * trace of a job by one that begins in the relay.
 */
function telemetryOptions() {
  const telemetry = tracing()?.telemetry;
  return telemetry && { telemetry };
}

/** Creates the tables of the queues. Several processes may run it at once. */
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
