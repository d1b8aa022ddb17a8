import type { FastifyBaseLogger } from 'fastify';
import type Stripe from 'stripe';
import type { Faults, Hit, WebhookFaultOrder } from './control/faults.ts';
import { nowInSeconds } from './ids.ts';
import { matchesPattern } from './params.ts';
import type { Store } from './store.ts';
import { createHmac } from 'node:crypto';

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
type Endpoint = { url: string; events: readonly string[] };

type WebhookOptions = {
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

type AdmissionOptions = {
  store: Store;
  faults: Faults;
  /** Sends these events one after another. */
  send: (eventIds: readonly string[]) => void;
};

/** Takes each new event in and sends it; or does to it what a fault wants. */
function createAdmission({ store, faults, send }: AdmissionOptions) {
  /** What a `reorder` has held back so far, by fault. */
  const rows = new Map<string, string[]>();

  return (eventId: string): void => {
    const event = store.get('event', eventId);
    const hit = event === undefined ? null : faults.hitEvent(event.type);
    if (hit === null) send([eventId]);
    else mistreat(eventId, hit);
  };

  function mistreat(id: string, hit: Hit<WebhookFaultOrder>): void {
    const { order, released } = hit;
    switch (order.kind) {
      case 'duplicate':
        for (let copy = 0; copy <= (order.copies ?? 1); copy += 1) send([id]);
        return;
      case 'delay':
        void released.then(() => send([id]));
        return;
      case 'lose': {
        const state = order.listed === 'delivered' ? 'delivered' : 'abandoned';
        store.commit([['delivery', id, { id, state }]]);
        return;
      }
      case 'reorder':
        collect(id, hit);
    }
  }

  function collect(id: string, { id: faultId, order, count, released }: Hit<WebhookFaultOrder>) {
    rows.set(faultId, [id, ...(rows.get(faultId) ?? [])]);
    const sendRow = () => {
      const row = rows.get(faultId);
      rows.delete(faultId);
      if (row !== undefined) send(row);
    };
    if (count === (order.times ?? 1)) sendRow();
    // Taken away before it was complete.
    else if (count === 1) void released.then(sendRow);
  }
}

const ANSWER_MILLISECONDS = 10_000;

/** Sends one event; null when it was received, otherwise why not. */
async function postEvent(
  event: Stripe.Event,
  url: string,
  secret: string,
  closing: AbortSignal,
): Promise<string | null> {
  // Indented as Stripe sends it: a receiver that signs its own re-serialization fails here too.
  const body = JSON.stringify(event, null, 2);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signWebhook(body, secret, nowInSeconds()),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(ANSWER_MILLISECONDS)]),
    });
    await response.body?.cancel();
    return response.ok ? null : `answered ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

/**
 * The `Stripe-Signature` header: HMAC-SHA256 of `<seconds>.<body>`, in hexadecimal.
 * Source: https://docs.stripe.com/webhooks#verify-manually
 */
export function signWebhook(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}
