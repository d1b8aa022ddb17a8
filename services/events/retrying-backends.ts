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

/** Between two tries of what a queue's server refuses: always as long, with no backoff. */
const RETRY_MS = 500;

/**
 * Lets a worker pause before it asks for a job again where the server refused to give it one. BullMQ 6
 * pauses only where no connection was made: for any other error, such as a server that has too many
 * connections, it asks as fast as it can, and nothing else in the process comes to its turn.
 */
export function pausingAfterErrors<B extends IQueueBackend, C>(
  factory: BackendFactory<B, C>,
): BackendFactory<B, C> {
  return (...how) => {
    const backend = factory(...how);
    const moveToActive = backend.moveToActive.bind(backend);
    const waitForJob = backend.waitForJob.bind(backend);
    backend.moveToActive = (...job) => moveToActive(...job).catch(throwLater);
    backend.waitForJob = (timeout) => waitForJob(timeout).catch(throwLater);
    return backend;
  };
}

async function throwLater(error: unknown): Promise<never> {
  if (isNotConnectionError(error as Error)) await pause();
  throw error;
}

/** BullMQ 6 would remember for ever that the first try failed: that queue would never work. */
class RetryingConnection extends PostgresConnection {
  #ready: Promise<void> | undefined;

  override waitUntilReady(): Promise<void> {
    return (this.#ready ??= this.#tryUntilReady());
  }

  async #tryUntilReady(): Promise<void> {
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

const pause = () => sleep(RETRY_MS, undefined, { ref: false });

/** BullMQ's own, but for a connection that is tried until it is there. */
export const createRetryingPostgresBackend: BackendFactory<
  PostgresQueueBackend,
  PostgresConnectionOptions
> = (name, opts, kind) => {
  const connection = new RetryingConnection(opts.connection);
  // Workers are found by the name of the connection that they listen on.
  const listenerName = kind?.withBlockingConnection ? name : undefined;
  return new PostgresQueueBackend(connection, name, opts, true, listenerName);
};
