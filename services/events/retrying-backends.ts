import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  type BackendFactory,
  type IQueueBackend,
  isNotConnectionError,
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
} from 'bullmq';

/** Between two attempts that a queue's server refuses. Constant, without backoff. */
const RETRY_DELAY_MS = 500;

/**
 * Makes a worker pause after the server refused to give it a job. BullMQ 6 pauses only after a failed
 * connection. After any other error, such as "too many connections", it retries in a busy loop that
 * starves the rest of the process.
 */
export function withErrorPause<B extends IQueueBackend, C>(
  factory: BackendFactory<B, C>,
): BackendFactory<B, C> {
  return (...args) => {
    const backend = factory(...args);
    const moveToActive = backend.moveToActive.bind(backend);
    const waitForJob = backend.waitForJob.bind(backend);
    backend.moveToActive = (...job) => moveToActive(...job).catch(rethrowAfterPause);
    backend.waitForJob = (timeout) => waitForJob(timeout).catch(rethrowAfterPause);
    return backend;
  };
}

/**
 * Makes a delay before a retry end by the clock that is behind, the worker's or the server's. BullMQ 6 adds the delay to
 * the worker's, and compares the sum with that of the worker that looks: one that was ten minutes ahead put a job off by
 * ten minutes, and by the server's alone so would one that is behind.
 *
 * @param serverTime milliseconds since 1970
 */
export function withEarlierTime<B extends IQueueBackend, C>(
  factory: BackendFactory<B, C>,
  serverTime: () => Promise<number>,
): BackendFactory<B, C> {
  return (...args) => {
    const backend = factory(...args);
    const moveToDelayed = backend.moveToDelayed.bind(backend);
    backend.moveToDelayed = async (id, workerTime, ...rest) =>
      moveToDelayed(id, Math.min(workerTime, await serverTime()), ...rest);
    return backend;
  };
}

async function rethrowAfterPause(error: unknown): Promise<never> {
  if (isNotConnectionError(error as Error)) await pause();
  throw error;
}

/** Retries until PostgreSQL answers. BullMQ 6 would cache a failed first attempt for ever. */
class RetryingConnection extends PostgresConnection {
  #ready: Promise<void> | undefined;

  override waitUntilReady(): Promise<void> {
    return (this.#ready ??= this.#retryUntilReady());
  }

  async #retryUntilReady(): Promise<void> {
    while (!this.isClosing) {
      try {
        await assertSchemaCompatibility(this.pool, this.schema);
        return;
      } catch (error) {
        this.emit('error', error);
        await pause();
      }
    }
  }
}

/** No lock lasts as long (6 s), and no check waits as long for the next (2 s): a clock was ahead. */
const MAX_AHEAD_MS = 20_000;

/**
 * BullMQ 6 writes times of the worker's clock. A clock that was ten minutes ahead says that the queue was searched
 * for jobs of dead workers in ten minutes, and that its jobs are locked until then: meanwhile no other worker
 * takes up such a job. PostgreSQL's own clock decides that.
 */
const CORRECT_TIMES = `
  with clock as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms),
  checked as (
    delete from meta using clock
    where queue = $1 and field = 'stalled-check' and value::bigint > now_ms + $2)
  update job set locked_until_ms = now_ms + $2 from clock
  where queue = $1 and state = 'active' and locked_until_ms > now_ms + 2 * $2`;

const pause = () => sleep(RETRY_DELAY_MS, undefined, { ref: false });

/** BullMQ's PostgreSQL backend with a connection that is retried until it is ready, and for clocks that differ. */
export const createRetryingPostgresBackend: BackendFactory<
  PostgresQueueBackend,
  PostgresConnectionOptions
> = (name, opts, kind) => {
  const connection = new RetryingConnection(opts.connection);
  // BullMQ identifies workers by the name of the connection they listen on.
  const listenerName = kind?.withBlockingConnection ? name : undefined;
  const backend = new PostgresQueueBackend(connection, name, opts, true, listenerName);
  const moveStalledJobsToWait = backend.moveStalledJobsToWait.bind(backend);
  backend.moveStalledJobsToWait = async () => {
    await connection.pool.query(CORRECT_TIMES, [name, MAX_AHEAD_MS]);
    return moveStalledJobsToWait();
  };
  return backend;
};
