import { setTimeout as sleep } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { StripeApi } from '@proveklar/services/payments/payment.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import { STRIPE_EVENT_TYPES } from '@proveklar/services/payments/incoming/stripe-events.ts';
import { WEBHOOK_SECRET } from '#support/gateway.ts';
import { randomFor } from '#support/random.ts';

const { webhooks } = createStripeClient({ secretKey: 'sk_test_local' });
const TYPES: ReadonlySet<string> = new Set(STRIPE_EVENT_TYPES);
const MAX_COPIES = 5;
/** Posts that are sent at the same time. */
const AT_ONCE = 6;
const PAUSE_MS = 30;

export interface Courier {
  /** Events that the gateway has acknowledged: it must not lose them. */
  acknowledged: ReadonlySet<string>;
  /** Posts that were answered 200. */
  delivered: () => number;
  /** Delivers the remaining events, and ends. */
  finish: () => Promise<void>;
}

export interface CourierOptions {
  stripe: StripeApi;
  webhookUrl: string;
  seed: number;
  /** The number of an intent's payment; null when its events must not be delivered. */
  numberOf: (intentId: string) => number | null;
}

/**
 * Posts Stripe's events to the gateway, each zero to five times and in random order. A post without an
 * answer is retried, as Stripe does.
 */
export function startCourier({ stripe, webhookUrl, seed, numberOf }: CourierOptions): Courier {
  const acknowledged = new Set<string>();
  const bag: Stripe.Event[] = [];
  const order = randomFor(seed, 'order of deliveries');
  let newest: string | undefined;
  let delivered = 0;
  let finishing = false;

  async function collect(): Promise<boolean> {
    const page = await stripe.events.list({
      limit: 100,
      ...(newest ? { ending_before: newest } : {}),
    });
    newest = page.data[0]?.id ?? newest;
    for (const event of page.data.toReversed()) {
      const copies = copiesOf(event);
      for (let copy = 0; copy < copies; copy += 1) bag.push(event);
    }
    return page.data.length > 0;
  }

  function copiesOf(event: Stripe.Event): number {
    if (!TYPES.has(event.type)) return 0;
    const object = event.data.object as { id: string; object: string; payment_intent?: unknown };
    const intentId = object.object === 'payment_intent' ? object.id : String(object.payment_intent);
    const number = numberOf(intentId);
    if (number === null) return 0;
    return randomFor(seed, `${event.type} of ${number}`).below(MAX_COPIES + 1);
  }

  async function post(event: Stripe.Event): Promise<void> {
    const payload = JSON.stringify(event);
    const signature = webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
    const answer = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: payload,
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    if (answer?.status !== 200) {
      bag.push(event);
      return;
    }
    delivered += 1;
    acknowledged.add(event.id);
  }

  async function run(): Promise<void> {
    for (;;) {
      const found = await collect();
      const few = Array.from({ length: Math.min(AT_ONCE, bag.length) }, () => {
        return bag.splice(order.below(bag.length), 1)[0]!;
      });
      const before = delivered;
      await Promise.all(few.map(post));
      if (finishing && !found && bag.length === 0) return;
      if (!found && delivered === before) await sleep(PAUSE_MS);
    }
  }

  const running = run();
  return {
    acknowledged,
    delivered: () => delivered,
    finish: () => {
      finishing = true;
      return running;
    },
  };
}
