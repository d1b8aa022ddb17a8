import { assertSchemaCompatibility, RedisConnection, SchemaMigrationRequiredError } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { POSTGRES_SCHEMA } from './queue-backend.ts';

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

const PATIENCE_MS = 5_000;

/** What an operator must know of the queues. Throws when they do not answer. */
export async function checkQueue(queueUrl: string): Promise<RedisFacts | PostgresQueueFacts> {
  return queueUrl.startsWith('redis') ? checkRedis(queueUrl) : checkPostgres(queueUrl);
}

async function checkRedis(url: string): Promise<RedisFacts> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
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
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: PATIENCE_MS });
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
