import { assertSchemaCompatibility, RedisConnection, SchemaMigrationRequiredError } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Database, Queryable, Transaction } from '#database/pool.ts';
import { inTime } from '#lifecycle/in-time.ts';
import { CANARY, type QueueName, QUEUES } from './catalogue.ts';
import { emit } from './outbox.ts';
import { type JobQueue, POSTGRES_SCHEMA, type QueueBackend } from './queue-backend.ts';

/** A canary is sent every ten seconds: five of them may be late. */
const LATE_S = 60;
const PROBE_TIMEOUT_MS = 1_000;

/** How one queue is: `busy` and `paused` hold a canary up, and nothing is wrong. */
export interface QueueFlow {
  state: 'flowing' | 'busy' | 'paused' | 'stuck';
  /** Seconds since a canary came through; null when none ever has. */
  canaryAgeSeconds: number | null;
}

interface QueueHealth {
  isHealthy: boolean;
  /** What is wrong, in words; empty when nothing is. */
  problems: string[];
  /** What Redis does when its memory is full; null for PostgreSQL and where Redis does not say. */
  evictionPolicy: string | null;
  queues: Record<string, QueueFlow>;
}

export interface QueueHealthDeps {
  db: Database;
  backend: Pick<QueueBackend, 'readEvictionPolicy'>;
  queues: ReadonlyMap<QueueName, JobQueue>;
}

/**
 * Makes the reading of the queues' health for a process of workers: whether events lately came through
 * every queue to its end, which a queue that answers a ping may not do for hours. Each queue is asked
 * only where its canaries are late. It throws when the database does not answer.
 */
export function createQueueHealth({ db, backend, queues }: QueueHealthDeps) {
  return async (): Promise<QueueHealth> => {
    const [ages, evictionPolicy] = await Promise.all([
      readCanaryAges(db),
      inTime(PROBE_TIMEOUT_MS, backend.readEvictionPolicy()),
    ]);
    const flows = await Promise.all(
      [...queues].map(
        async ([name, queue]) => [name, await readFlow(queue, ages.get(name) ?? null)] as const,
      ),
    );
    const problems = [
      ...judgePolicy(evictionPolicy),
      ...flows.flatMap(([name, flow]) => describe(name, flow)),
    ];
    return {
      isHealthy: problems.length === 0,
      problems,
      evictionPolicy: evictionPolicy ?? null,
      queues: Object.fromEntries(flows),
    };
  };
}

async function readFlow(queue: JobQueue, age: number | null): Promise<QueueFlow> {
  const isFresh = age !== null && age <= LATE_S;
  return { state: isFresh ? 'flowing' : await readWhyLate(queue), canaryAgeSeconds: age };
}

async function readWhyLate(queue: JobQueue): Promise<QueueFlow['state']> {
  const [isPaused, counts] = await Promise.all([
    inTime(PROBE_TIMEOUT_MS, queue.isPaused()),
    inTime(PROBE_TIMEOUT_MS, queue.getJobCounts('active')),
  ]);
  if (isPaused) return 'paused';
  return (counts?.active ?? 0) > 0 ? 'busy' : 'stuck';
}

function describe(name: string, { state, canaryAgeSeconds: age }: QueueFlow): string[] {
  if (state !== 'stuck') return [];
  const since = age === null ? 'yet' : `for ${Math.round(age)} s`;
  return [`nothing has come through the queue ${name} ${since}`];
}

/** What is wrong with a Redis of this policy; undefined when it did not say it in time. */
export function judgePolicy(policy: string | null | undefined): string[] {
  if (policy === undefined) return ['Redis does not answer: events wait in the outbox'];
  if (policy === null || policy === 'noeviction') return [];
  return [`Redis has maxmemory-policy ${policy}, and would throw jobs away: set noeviction`];
}

export interface RedisFacts {
  kind: 'redis';
  version: string;
  /** The oldest version that BullMQ runs on. */
  oldest: string;
  isSupported: boolean;
  /** Null when the server does not say. */
  evictionPolicy: string | null;
  /** Whether it writes what it holds to an append-only file; null when it does not say. */
  isAppendOnly: boolean | null;
}

export interface PostgresQueueFacts {
  kind: 'postgres';
  /** The version of BullMQ's tables; 0 when they are missing. */
  schemaVersion: number;
}

/** What an operator must know of the queues. Throws when they do not answer. */
export async function checkQueue(queueUrl: string): Promise<RedisFacts | PostgresQueueFacts> {
  return queueUrl.startsWith('redis') ? checkRedis(queueUrl) : checkPostgres(queueUrl);
}

const CONNECT_TIMEOUT_MS = 5_000;

async function checkRedis(url: string): Promise<RedisFacts> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: null,
  });
  // The reason: `connect` itself only says that the connection is closed.
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  try {
    await redis.connect();
    // CONFIG GET is forbidden by many who rent out Redis; INFO says the same.
    return readInfo(await redis.info());
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

function readInfo(info: string): RedisFacts {
  const facts = new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const [name = '', value] = line.split(':', 2);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const version = facts.get('redis_version') ?? '0.0.0';
  const oldest = RedisConnection.minimumVersion;
  const appendOnly = facts.get('aof_enabled');
  return {
    kind: 'redis',
    version,
    oldest,
    isSupported: version.localeCompare(oldest, 'en', { numeric: true }) >= 0,
    evictionPolicy: facts.get('maxmemory_policy') ?? null,
    isAppendOnly: appendOnly === undefined ? null : appendOnly === '1',
  };
}

async function checkPostgres(connectionString: string): Promise<PostgresQueueFacts> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return {
      kind: 'postgres',
      schemaVersion: await assertSchemaCompatibility(client, POSTGRES_SCHEMA),
    };
  } catch (error) {
    if (!(error instanceof SchemaMigrationRequiredError)) throw error;
    return { kind: 'postgres', schemaVersion: 0 };
  } finally {
    await client.end();
  }
}

/** What waits on the way from an event to its end. Ages are in seconds, 0 when nothing waits. */
export interface Backlog {
  /** Events that no relay has taken; 100,001 stands for more than a hundred thousand. */
  outboxEvents: number;
  outboxOldestSeconds: number;
  oldestByQueue: Record<string, number>;
  oldestUnconsumedSeconds: number;
}

/**
 * Reads it in one statement that stays small however much waits. Beyond a hundred thousand deliveries
 * only the longest handed over are looked at.
 */
export async function readBacklog(db: Queryable): Promise<Backlog> {
  const { rows } = await db.query<{
    events: number;
    oldest: number;
    queues: Record<string, number>;
  }>(
    `select
       (select count(*)::int from (select from outbox limit 100001) as waiting) as events,
       -- Ids are in the order of time.
       coalesce((select extract(epoch from clock_timestamp() - created_at)
                 from outbox order by id limit 1), 0)::float8 as oldest,
       (select coalesce(jsonb_object_agg(queue, age), '{}') from (
          select queue, extract(epoch from clock_timestamp() - min(batch.created_at))::float8 as age
          from (select batch_id, queue from event_delivery where done_at is null
                order by published_at limit 100001) as undone
          join event_batch batch on batch.id = undone.batch_id
          group by queue) as ages) as queues`,
  );
  const { events, oldest, queues } = rows[0]!;
  const idle = Object.fromEntries(QUEUES.map((queue) => [queue, 0]));
  return {
    outboxEvents: events,
    outboxOldestSeconds: oldest,
    oldestByQueue: { ...idle, ...queues },
    oldestUnconsumedSeconds: Math.max(oldest, ...Object.values(queues)),
  };
}

/**
 * Sends an event through every queue, by the way that all events take, and forgets those of more than
 * an hour ago.
 */
export async function sendCanaries(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from event_batch
     where name = 'canary.sent' and created_at < clock_timestamp() - interval '1 hour'`,
  );
  await emit(tx, CANARY, {});
}

/** Records that one came through. */
export async function receiveCanary(tx: Transaction, queue: QueueName): Promise<void> {
  await tx.query(
    `insert into canary (queue, done_at) values ($1, clock_timestamp())
     on conflict (queue) do update set done_at = excluded.done_at`,
    [queue],
  );
}

/** How many seconds ago one came through each queue; null where none ever has. */
export async function readCanaryAges(db: Queryable): Promise<Map<QueueName, number | null>> {
  const { rows } = await db.query<{ queue: string; age: number }>(
    `select queue, extract(epoch from clock_timestamp() - done_at)::float8 as age from canary`,
  );
  const ages = new Map(rows.map(({ queue, age }) => [queue, age]));
  return new Map(QUEUES.map((queue) => [queue, ages.get(queue) ?? null]));
}
