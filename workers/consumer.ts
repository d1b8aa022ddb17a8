import type { Logger } from 'pino';
import type { Transaction } from '@proveklar/services/database/pool.ts';
import type {
  DeliveredEvent,
  EventName,
  EventOf,
  QueueName,
} from '@proveklar/services/events/catalogue.ts';

/** What a handler is given beside the events. */
export interface Delivery {
  /**
   * Applies the batch exactly once: `work` runs in the transaction that records the batch as
   * consumed. A handler must call it; what it does outside must be safe to do again. A handler of
   * events that travel in batches does everything in it, because it is called for parts of a batch, in
   * one transaction, when the batch holds an event that it fails on.
   */
  once: (work: (tx: Transaction) => Promise<void>) => Promise<void>;
  /**
   * Aborted when the process is to end, with a reason that puts the job back: what takes long and is kept
   * part by part throws it after a part.
   */
  signal: AbortSignal;
  log: Logger;
}

/** Ends the job for now: it is taken up again after the delay. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly delayMs: number;

  constructor(delayMs: number) {
    super(`Again in ${delayMs} ms`);
    this.delayMs = delayMs;
  }
}

export type Handler<N extends EventName> = (
  events: DeliveredEvent<N>[],
  delivery: Delivery,
) => Promise<void>;

/** How a queue is worked on. There is a handler for every event that the catalogue sends it. */
export interface Consumer<Q extends QueueName> {
  queue: Q;
  /** Jobs at a time in one process. */
  concurrency: number;
  /** How often a job may lose its worker before it fails; by default 5. */
  maxStalls?: number;
  handlers: { [N in EventOf<Q>]: Handler<N> };
}
