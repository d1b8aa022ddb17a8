import type { FastifyBaseLogger } from 'fastify';
import type Stripe from 'stripe';
import type { Faults, Hit, WebhookFaultOrder } from './control/faults.ts';
import { nowInSeconds } from './ids.ts';
import { matchesPattern } from './params.ts';
import type { Store } from './store.ts';
import { createHmac } from 'node:crypto';

export type Webhooks = {
  readonly endpoint: Endpoint | null;
  /** Whether the endpoint subscribes to events of this type. */
  wants(type: string): boolean;
  /** Starts the delivery of new events and returns immediately. Faults apply to these. */
  deliver(eventIds: readonly string[]): void;
  /** Sends an event again, whatever its state. */
  resend(eventId: string): void;
  /** Starts the delivery of events that an earlier run left undelivered. */
  resume(): void;
  close(): Promise<void>;
};

/** The webhook endpoint and its event types, or patterns such as `charge.*`. */
type Endpoint = { url: string; events: readonly string[] };

type WebhookOptions = {
  store: Store;
  faults: Faults;
  url: string | undefined;
  secret: string;
  /** All events by default. */
  events?: readonly string[] | undefined;
  /** The backoff between attempts, in seconds; the last value is repeated for three days. */
  retrySeconds?: readonly number[] | undefined;
  log?: FastifyBaseLogger | undefined;
};

/** Stripe waits up to hours; here a restarted gateway gets its events within a minute. */
const RETRY_SECONDS = [1, 2, 5, 10, 30, 60];
const GIVE_UP_SECONDS = 3 * 24 * 60 * 60;
/** Bounds the connections in a burst of payments. */
const MAX_CONCURRENT = 16;

/**
 * Delivers events like Stripe: one event per request, in no guaranteed order, at least once, with a new signature
 * on every attempt, and retried until the endpoint responds with 2xx.
 */
export function startWebhooks(options: WebhookOptions): Webhooks {
  const { store, faults, url, secret, events = ['*'], log } = options;
  const endpoint = url === undefined ? null : { url, events };
  const waits = options.retrySeconds ?? RETRY_SECONDS;
  /** Each item is a list of events that are sent one after the other. */
  const queue: (readonly string[])[] = [];
  const attempts = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  function pump(): void {
    if (url === undefined) return;
    while (!closing.signal.aborted && running.size < MAX_CONCURRENT) {
      const row = queue.shift();
      if (row === undefined) return;
      const attempt = attemptAll(row, url)
        // Only when the journal cannot be written: the delivery stays pending for the next run.
        .catch((error: unknown) => log?.error(error))
        .finally(() => {
          running.delete(attempt);
          pump();
        });
      running.add(attempt);
    }
  }

  async function attemptAll(row: readonly string[], url: string): Promise<void> {
    for (const id of row) await attemptDelivery(id, url);
  }

  async function attemptDelivery(id: string, url: string): Promise<void> {
    const event = store.get('event', id);
    if (event === undefined) return;
    const failure = await postEvent(event, url, secret, closing.signal);
    // Interrupted by close(): the delivery stays pending, and the next run sends it.
    if (closing.signal.aborted && failure !== null) return;
    if (failure === null) {
      attempts.delete(id);
      store.commit([['delivery', id, { id, state: 'delivered' }]]);
    } else {
      scheduleRetry(event, failure);
    }
  }

  function scheduleRetry(event: Stripe.Event, failure: string): void {
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
    // After the response to the API call, as at Stripe.
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
      const pending = store.all('delivery').filter((delivery) => delivery.state === 'pending');
      for (const { id } of pending) send([id]);
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
  /** Sends these events one after the other. */
  send: (eventIds: readonly string[]) => void;
};

/** Sends each new event, unless a fault applies to it. */
function createAdmission({ store, faults, send }: AdmissionOptions) {
  /** The events that `reorder` faults hold back, by fault. */
  const rows = new Map<string, string[]>();

  return (eventId: string): void => {
    const event = store.get('event', eventId);
    const hit = event === undefined ? null : faults.hitEvent(event.type);
    if (hit === null) send([eventId]);
    else applyFault(eventId, hit);
  };

  function applyFault(id: string, hit: Hit<WebhookFaultOrder>): void {
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
    // The fault was removed before it was complete.
    else if (count === 1) void released.then(sendRow);
  }
}

const RESPONSE_TIMEOUT_MS = 10_000;

/** Sends one event. Returns null when it was accepted, otherwise the reason. */
async function postEvent(
  event: Stripe.Event,
  url: string,
  secret: string,
  closing: AbortSignal,
): Promise<string | null> {
  // Indented as Stripe sends it, so that a receiver that signs a re-serialized body fails here too.
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
      signal: AbortSignal.any([closing, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
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
