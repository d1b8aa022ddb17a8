import { assertSchemaCompatibility, RedisConnection, SchemaMigrationRequiredError } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Database, Queryable, Transaction } from '#database/pool.ts';
import { tryWithTimeout } from '#lifecycle/try-with-timeout.ts';
import { CANARY, type QueueName, QUEUES } from './catalogue.ts';
import { emit } from './outbox.ts';
import { type JobQueue, POSTGRES_SCHEMA, type QueueBackend } from './queue-backend.ts';

/** A canary is sent every ten seconds: a queue may miss five of them. */
const CANARY_LATE_S = 60;
const PROBE_TIMEOUT_MS = 1_000;

/** The flow through one queue. `busy` and `paused` delay a canary and are no problem. */
export interface QueueFlow {
  state: 'flowing' | 'busy' | 'paused' | 'stuck';
  /** Seconds since the queue consumed a canary; null when it never has. */
  canaryAgeSeconds: number | null;
}

interface QueueHealth {
  isHealthy: boolean;
  /** The problems in words; empty when there are none. */
  problems: string[];
  /** What Redis does when its memory is full; null for PostgreSQL and when Redis does not report it. */
  evictionPolicy: string | null;
  queues: Record<string, QueueFlow>;
}

export interface QueueHealthDeps {
  db: Database;
  backend: Pick<QueueBackend, 'readEvictionPolicy'>;
  queues: ReadonlyMap<QueueName, JobQueue>;
}

/**
 * Creates the health check of the queues for a worker process. It checks that canary events recently
 * passed through every queue: a queue that answers a ping may still be stuck for hours. It queries
 * only queues whose canaries are late. The check throws when the database does not answer.
 */
export function createQueueHealth({ db, backend, queues }: QueueHealthDeps) {
  return async (): Promise<QueueHealth> => {
    const [ages, evictionPolicy] = await Promise.all([
      readCanaryAges(db),
      tryWithTimeout(PROBE_TIMEOUT_MS, backend.readEvictionPolicy()),
    ]);
    const flows = await Promise.all(
      [...queues].map(
        async ([name, queue]) => [name, await readFlow(queue, ages.get(name) ?? null)] as const,
      ),
    );
    const problems = [
      ...evictionPolicyProblems(evictionPolicy),
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
  const isFresh = age !== null && age <= CANARY_LATE_S;
  return { state: isFresh ? 'flowing' : await readDelayReason(queue), canaryAgeSeconds: age };
}

async function readDelayReason(queue: JobQueue): Promise<QueueFlow['state']> {
  const [isPaused, counts] = await Promise.all([
    tryWithTimeout(PROBE_TIMEOUT_MS, queue.isPaused()),
    tryWithTimeout(PROBE_TIMEOUT_MS, queue.getJobCounts('active')),
  ]);
  if (isPaused) return 'paused';
  return (counts?.active ?? 0) > 0 ? 'busy' : 'stuck';
}

function describe(name: string, { state, canaryAgeSeconds: age }: QueueFlow): string[] {
  if (state !== 'stuck') return [];
  const since = age === null ? 'yet' : `for ${Math.round(age)} s`;
  return [`nothing has come through the queue ${name} ${since}`];
}

/** @param policy undefined when Redis did not answer in time */
export function evictionPolicyProblems(policy: string | null | undefined): string[] {
  if (policy === undefined) return ['Redis does not answer: events wait in the outbox'];
  if (policy === null || policy === 'noeviction') return [];
  return [`Redis has maxmemory-policy ${policy}, and would throw jobs away: set noeviction`];
}

export interface RedisFacts {
  kind: 'redis';
  version: string;
  /** The oldest version that BullMQ runs on. */
  minVersion: string;
  isSupported: boolean;
  /** Null when the server does not report it. */
  evictionPolicy: string | null;
  /** Whether it writes to an append-only file; null when the server does not report it. */
  isAppendOnly: boolean | null;
}

export interface PostgresQueueFacts {
  kind: 'postgres';
  /** The version of BullMQ's tables; 0 when they are missing. */
  schemaVersion: number;
}

/** Reads the facts about the queues' server that an operator needs. Throws when it does not answer. */
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
  // `connect` itself only reports that the connection is closed; this event has the reason.
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  try {
    await redis.connect();
    // Many Redis hosting providers forbid CONFIG GET; INFO has the same facts.
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
  const minVersion = RedisConnection.minimumVersion;
  const appendOnly = facts.get('aof_enabled');
  return {
    kind: 'redis',
    version,
    minVersion,
    isSupported: version.localeCompare(minVersion, 'en', { numeric: true }) >= 0,
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

/** Events that are not consumed yet. Ages are in seconds, 0 when nothing waits. */
export interface Backlog {
  /** Events that no relay has taken; 100,001 means more than a hundred thousand. */
  outboxEvents: number;
  outboxOldestSeconds: number;
  oldestByQueue: Record<string, number>;
  oldestUnconsumedSeconds: number;
}

/**
 * Reads the backlog in one statement of bounded cost: of more than a hundred thousand deliveries it
 * reads only those published first.
 */
export async function readBacklog(db: Queryable): Promise<Backlog> {
  const { rows } = await db.query<{
    events: number;
    oldest: number;
    queues: Record<string, number>;
  }>(
    `select
       (select count(*)::int from (select from outbox limit 100001) as waiting) as events,
       -- Ids are ordered by time.
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
 * Sends a canary event through every queue, by the same path as all events, and deletes those older
 * than an hour.
 */
export async function sendCanaries(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from event_batch
     where name = 'canary.sent' and created_at < clock_timestamp() - interval '1 hour'`,
  );
  await emit(tx, CANARY, {});
}

/** Records that a queue consumed a canary. */
export async function receiveCanary(tx: Transaction, queue: QueueName): Promise<void> {
  await tx.query(
    `insert into canary (queue, done_at) values ($1, clock_timestamp())
     on conflict (queue) do update set done_at = excluded.done_at`,
    [queue],
  );
}

/** Seconds since each queue consumed a canary; null when it never has. */
export async function readCanaryAges(db: Queryable): Promise<Map<QueueName, number | null>> {
  const { rows } = await db.query<{ queue: string; age: number }>(
    `select queue, extract(epoch from clock_timestamp() - done_at)::float8 as age from canary`,
  );
  const ages = new Map(rows.map(({ queue, age }) => [queue, age]));
  return new Map(QUEUES.map((queue) => [queue, ages.get(queue) ?? null]));
}
