import pg from 'pg';
import { traceQueries } from '#tracing/trace-queries.ts';
import { tracing } from '#tracing/tracing.ts';
import type { EventEmitter } from 'node:events';
import { databaseErrors } from '#counters/counters.ts';

// Ids and counts fit into a double, and JSON has no bigint.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Database = pg.Pool;
export type Transaction = pg.PoolClient;
/** For functions that may run inside or outside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'> | Pick<pg.PoolClient, 'query'>;

interface PoolOptions {
  /** Shown in pg_stat_activity, so that an operator can identify the connection. */
  applicationName: string;
  max?: number;
}

/** Opens a pool. It replaces idle connections that break, and calls `onError` for each. */
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
    // What runs every ten seconds must find its connection again: opening one costs more than a query.
    idleTimeoutMillis: 60_000,
    // No interactive statement takes this long; a stuck one must not keep its locks.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    // JIT compilation takes longer than any of our queries.
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
  // A broken connection also fails its query. Without this listener, its error event would end the
  // process.
  const ignore = () => {};
  tx.on('error', ignore);
  let broken: Error | undefined;
  try {
    await tx.query('begin');
    const result = await work(tx);
    await tx.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot roll back is removed from the pool.
    await tx.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    tx.off('error', ignore);
    tx.release(broken);
  }
}

/** SQLSTATE of a failed connection. */
const CONNECTION_FAILURE = '08006';

/** Counts the errors of a connection, including those before it is ready. */
class CountedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The protocol layer, which the driver's types omit. Each error passes here exactly once.
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      databaseErrors.inc({ sqlstate: code ?? 'unknown' });
    });
    connection.on('error', () => databaseErrors.inc({ sqlstate: CONNECTION_FAILURE }));
  }
}
