import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import { withClient } from '@proveklar/local/postgres/cluster.ts';
import { startStripeProcess } from '@proveklar/local/stand-ins.ts';
import { signWebhook } from '@proveklar/stripe-stand-in/webhooks.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import type { Bench } from '#row.ts';
import { EventStream } from './event-stream.ts';
import { UID_PREFIX } from './given-answers.ts';
import { WEBHOOK_SECRET } from './product.ts';

export interface StripeForBench {
  /** `STRIPE_API_URL` */
  url: string;
  stop: () => Promise<void>;
}

/** A stand-in that sends no webhooks: the probe sends them, at a known time. */
export async function startStripe({ scratch }: Bench): Promise<StripeForBench> {
  const [port = 0] = await freePorts(1);
  const host = '127.0.0.1';
  const { child, ready } = startStripeProcess({
    host,
    port,
    dataDir: join(scratch.dir, 'stripe'),
    logFile: join(scratch.dir, 'stripe.log'),
    webhookSecret: WEBHOOK_SECRET,
  });
  await ready;
  return { url: `http://${host}:${port}`, stop: () => child.stop() };
}

interface ProbeOptions {
  url: string;
  databaseUrl: string;
  stripeUrl: string;
}

/** Learners who pay for more days with an open page. */
export class PaymentProbe {
  readonly #bench: Bench;
  readonly #options: ProbeOptions;
  #payers = 0;

  constructor(bench: Bench, options: ProbeOptions) {
    this.#bench = bench;
    this.#options = options;
  }

  /** @returns milliseconds from the sending of the webhook until the payer's page is notified */
  async measure(): Promise<number> {
    const { url, databaseUrl } = this.#options;
    const payer = this.#payers++;
    const token = this.#bench.identity.tokenFor(
      `${UID_PREFIX}${payer}`,
      `learner-${payer}@example.no`,
    );
    const intentId = await this.#pay(token);
    const stream = await EventStream.open(url, token);
    try {
      const notified = stream.next('"topic":"account"');
      const sent = performance.now();
      await this.#tell(intentId);
      const ms = (await notified) - sent;
      await expectSettled(databaseUrl, intentId);
      return ms;
    } finally {
      stream.close();
    }
  }

  async #pay(token: string): Promise<string> {
    const response = await fetch(`${this.#options.url}/api/v1/payment/create-intent`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The payment was not started: ${response.status} ${text}`);
    const { payment_intent_id: id } = JSON.parse(text) as { payment_intent_id: string };
    const stripe = createStripeClient({
      secretKey: 'sk_test_bench',
      apiUrl: this.#options.stripeUrl,
    });
    const card = { payment_method: 'pm_card_visa', return_url: 'https://example.no' };
    await stripe.paymentIntents.confirm(id, card);
    return id;
  }

  /** The webhook, as Stripe sends it. */
  async #tell(intentId: string): Promise<void> {
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: 'payment_intent.succeeded',
      data: { object: { id: intentId, object: 'payment_intent' } },
    });
    const response = await fetch(`${this.#options.url}/api/v1/stripe/webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': signWebhook(body, WEBHOOK_SECRET, Math.floor(Date.now() / 1000)),
      },
      body,
    });
    if (!response.ok) throw new Error(`The webhook was rejected: ${response.status}`);
  }
}

/** Checks that the notification was for this payment. */
async function expectSettled(databaseUrl: string, intentId: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ state: string }>(
      'select state from payment where payment_intent_id = $1',
      [intentId],
    );
    if (rows[0]?.state !== 'settled')
      throw new Error('The page was notified before the payment was settled.');
  });
}
