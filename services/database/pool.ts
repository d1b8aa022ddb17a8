import pg from 'pg';
import { traceQueries } from '#tracing/trace-queries.ts';
import { tracing } from '#tracing/tracing.ts';
import type { EventEmitter } from 'node:events';
import { databaseErrors } from '#counters/counters.ts';

// Ids and counts fit a double with room to spare, and JSON has no bigint.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Database = pg.Pool;
export type Transaction = pg.PoolClient;
/** What a function takes that may run inside a transaction or outside one. */
export type Queryable = Pick<pg.Pool, 'query'> | Pick<pg.PoolClient, 'query'>;

interface PoolOptions {
  /** Shown in pg_stat_activity, so that an operator sees whose connection it is. */
  applicationName: string;
  max?: number;
}

/** Opens a pool. Idle connections that break are replaced silently; `onError` hears of them. */
export function createPool(
  databaseUrl: string,
  { applicationName, max = 10 }: PoolOptions,
  onError: (error: Error) => void = () => {},
): Database {
  const pool = new pg.Pool({
    Client: CountedClient,
    connectionString: databaseUrl,
    application_name: applicationName,
    max,
    connectionTimeoutMillis: 5_000,
    // Nothing a person waits for takes this long; a stuck one must not hold its locks.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    // Compiling a query takes longer than any of ours runs.
    options: '-c timezone=UTC -c jit=off',
  });
  pool.on('error', onError);
  if (tracing()) traceQueries(pool);
  return pool;
}

/** Runs `work` in one transaction: commits what it returns, rolls back what it throws. */
export async function withTransaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const tx = await db.connect();
  // A connection that breaks is heard of twice: by its query, which fails, and here. Nobody hearing
  // of it here would end the process.
  const ignore = () => {};
  tx.on('error', ignore);
  let broken: Error | undefined;
  try {
    await tx.query('begin');
    const result = await work(tx);
    await tx.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not given back to the pool.
    await tx.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    tx.off('error', ignore);
    tx.release(broken);
  }
}

/** SQLSTATE of a connection that failed. */
const CONNECTION_FAILURE = '08006';

/** A connection that counts the errors that come over it, also those before anybody may query. */
class CountedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The driver's types leave it out: the protocol itself, where each error passes once.
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      databaseErrors.inc({ sqlstate: code ?? 'unknown' });
    });
    connection.on('error', () => databaseErrors.inc({ sqlstate: CONNECTION_FAILURE }));
  }
}
