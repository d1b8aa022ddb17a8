import type { FastifyBaseLogger } from 'fastify';
import type Stripe from 'stripe';

import type { Faults } from '../control/faults.ts';
import { nowInSeconds } from '../ids.ts';
import { matchesPattern } from '../patterns.ts';
import type { Store } from '../store.ts';
import { createAdmission } from './admission.ts';
import { postEvent } from './post-event.ts';

export type Webhooks = {
  readonly endpoint: Endpoint | null;
  /** Whether events of this type are sent. */
  wants(type: string): boolean;
  /** Starts delivering these new events and returns at once; faults are for these. */
  deliver(eventIds: readonly string[]): void;
  /** Sends an event once more, whatever became of it before. */
  resend(eventId: string): void;
  /** Starts delivering whatever an earlier run left undelivered. */
  resume(): void;
  close(): Promise<void>;
};

/** Where events are sent, and which: types, or patterns such as `charge.*`. */
export type Endpoint = { url: string; events: readonly string[] };

export type WebhookOptions = {
  store: Store;
  faults: Faults;
  url: string | undefined;
  secret: string;
  /** All by default. */
  events?: readonly string[] | undefined;
  /** Waits between attempts, in seconds; the last is repeated for three days. */
  retrySeconds?: readonly number[] | undefined;
  log?: FastifyBaseLogger | undefined;
};

/** Shorter than Stripe's hours: who restarts the gateway waits a minute at most. */
const RETRY_SECONDS = [1, 2, 5, 10, 30, 60];
const GIVE_UP_SECONDS = 3 * 24 * 60 * 60;
/** At once, so that a burst of payments does not become a burst of connections. */
const AT_ONCE = 16;

/**
 * Delivers events like Stripe: each by itself, in no promised order, at least once, signed anew on
 * every attempt, tried again until the endpoint answers 2xx.
 */
export function startWebhooks(options: WebhookOptions): Webhooks {
  const { store, faults, url, secret, events = ['*'], log } = options;
  const endpoint = url === undefined ? null : { url, events };
  const waits = options.retrySeconds ?? RETRY_SECONDS;
  /** Each is a row of events that are sent one after another, in its order. */
  const queue: (readonly string[])[] = [];
  const attempts = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  function pump(): void {
    if (url === undefined) return;
    while (!closing.signal.aborted && running.size < AT_ONCE) {
      const row = queue.shift();
      if (row === undefined) return;
      const attempt = tryEach(row, url)
        // Only a journal that cannot be written: the delivery stays pending for the next run.
        .catch((error: unknown) => log?.error(error))
        .finally(() => {
          running.delete(attempt);
          pump();
        });
      running.add(attempt);
    }
  }

  async function tryEach(row: readonly string[], url: string): Promise<void> {
    for (const id of row) await tryOnce(id, url);
  }

  async function tryOnce(id: string, url: string): Promise<void> {
    const event = store.get('event', id);
    if (event === undefined) return;
    const failure = await postEvent(event, url, secret, closing.signal);
    // Interrupted by close(): it stays pending, and the next run sends it again.
    if (closing.signal.aborted && failure !== null) return;
    if (failure === null) {
      attempts.delete(id);
      store.commit([['delivery', id, { id, state: 'delivered' }]]);
    } else {
      tryLater(event, failure);
    }
  }

  function tryLater(event: Stripe.Event, failure: string): void {
    const { id, type } = event;
    const attempt = (attempts.get(id) ?? 0) + 1;
    if (nowInSeconds() - event.created > GIVE_UP_SECONDS) {
      store.commit([['delivery', id, { id, state: 'abandoned' }]]);
      log?.error({ event: id, type, failure }, 'webhook abandoned after three days');
      return;
    }
    attempts.set(id, attempt);
    const wait = waits[Math.min(attempt, waits.length) - 1] ?? 60;
    log?.warn({ event: id, type, failure, attempt, retryInSeconds: wait }, 'webhook not delivered');
    const timer = setTimeout(() => {
      timers.delete(timer);
      queue.push([id]);
      pump();
    }, wait * 1000);
    timers.add(timer);
  }

  function send(row: readonly string[]): void {
    queue.push(row);
    // After the caller has answered its own request: at Stripe, too, the answer comes first.
    setImmediate(pump);
  }

  function wants(type: string): boolean {
    return endpoint?.events.some((pattern) => matchesPattern(type, pattern)) ?? false;
  }

  const admit = createAdmission({ store, faults, send });
  return {
    endpoint,
    wants,
    deliver(eventIds) {
      for (const id of eventIds) if (wants(store.get('event', id)?.type ?? '')) admit(id);
    },
    resend: (eventId) => send([eventId]),
    resume() {
      const left = store.all('delivery').filter((delivery) => delivery.state === 'pending');
      for (const { id } of left) send([id]);
    },
    async close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
