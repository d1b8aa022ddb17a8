import type { Logger } from 'pino';
import type { Transaction } from '@proveklar/services/database/pool.ts';
import type {
  DeliveredEvent,
  EventName,
  EventOf,
  QueueName,
} from '@proveklar/services/events/catalogue.ts';

/** What a handler gets beside the events. */
export interface Delivery {
  /**
   * Applies the batch exactly once: `work` runs in the transaction that records the batch as consumed.
   * Every handler must call it, and must be idempotent outside of it. A handler of batched events does
   * all its work inside, because a batch with a failing event is split: the handler is then called for
   * its parts in one transaction.
   */
  once: (work: (tx: Transaction) => Promise<void>) => Promise<void>;
  /**
   * Aborted when the process stops, with a reason that requeues the job. Long work that commits in parts
   * throws the reason after a part.
   */
  signal: AbortSignal;
  log: Logger;
}

/** Ends the current attempt. The job runs again after the delay and the attempt does not count. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly delayMs: number;

  constructor(delayMs: number) {
    super(`Retry in ${delayMs} ms`);
    this.delayMs = delayMs;
  }
}

export type Handler<N extends EventName> = (
  events: DeliveredEvent<N>[],
  delivery: Delivery,
) => Promise<void>;

/** The consumer of a queue, with a handler for every event that the catalogue routes to it. */
export interface Consumer<Q extends QueueName> {
  queue: Q;
  /** Concurrent jobs in one process. */
  concurrency: number;
  /** How often a job may lose its worker before it fails; 5 by default. */
  maxStalls?: number;
  handlers: { [N in EventOf<Q>]: Handler<N> };
}
