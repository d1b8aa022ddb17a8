import type Stripe from 'stripe';
import { API_VERSION } from '../work.ts';

/** What a call answered: the object, or the error that the SDK throws. */
export type Answer =
  | { step: string; body: Record<string, unknown> }
  | {
      step: string;
      error: { type: string; code?: string; decline_code?: string; status?: number };
    };

const EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.requires_action',
  'payment_intent.canceled',
] as const;
const RETURN_URL = 'https://example.no/quiz/payment';
const METHODS = { allowed_payment_method_types: ['card'] };

/**
 * Every call that the product makes at Stripe, in the states in which it makes them, with test cards only. The same
 * script runs at the stand-in and at Stripe, so it waits for what Stripe does a moment later.
 *
 * @param stripe a client in test mode
 * @param waitMs how long to wait for events and disputes
 */
export async function runContract(stripe: Stripe, waitMs: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  const cleanups: (() => Promise<unknown>)[] = [];
  const run = `contract-${crypto.randomUUID()}`;

  /** Makes a call and records what it answered; returns the object, or null after an error. */
  async function step<T extends object>(name: string, call: () => Promise<T>): Promise<T | null> {
    try {
      const body = await call();
      answers.push({ step: name, body: body as Record<string, unknown> });
      return body;
    } catch (error) {
      answers.push({ step: name, error: errorOf(error) });
      return null;
    }
  }

  /** Repeats a call until its answer is as wanted, and records the last one. */
  async function eventually<T extends object>(
    name: string,
    call: () => Promise<T>,
    isThere: (answer: T) => boolean,
  ): Promise<T | null> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const answer = await call();
      if (isThere(answer) || Date.now() > deadline) return step(name, async () => answer);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  const create = (name: string) =>
    step(`create an intent (${name})`, () =>
      stripe.paymentIntents.create(
        {
          amount: 14_900,
          currency: 'nok',
          ...METHODS,
          description: 'Prøveklar, 30 dager',
          statement_descriptor_suffix: '30 DAGER',
          metadata: { payment_id: run, purpose: 'registration', service_days: '30' },
        },
        { idempotencyKey: `${run}-${name}` },
      ),
    );
  const confirm = (id: string, card: string) =>
    stripe.paymentIntents.confirm(id, { payment_method: card, return_url: RETURN_URL });
  const read = (id: string) => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });

  // The key and the account, as the doctor reads them.
  await step('read the account', () => stripe.accounts.retrieveCurrent());
  await step('list intents', () => stripe.paymentIntents.list({ limit: 1 }));

  // A payment by card, created twice with one key.
  const since = Math.floor(Date.now() / 1000) - 5;
  const paid = await create('paid');
  const again = await create('paid');
  answers.push({ step: 'the same key', body: { same: paid?.id === again?.id } });
  await step('the same key with another amount', () =>
    stripe.paymentIntents.create(
      { amount: 15_000, currency: 'nok', ...METHODS },
      { idempotencyKey: `${run}-paid` },
    ),
  );
  const paidId = paid?.id ?? '';
  await step('read an unpaid intent', () => read(paidId));
  await step('pay', () => confirm(paidId, 'pm_card_visa'));
  await step('pay twice', () => confirm(paidId, 'pm_card_visa'));
  await step('cancel a paid intent', () =>
    stripe.paymentIntents.cancel(paidId, { cancellation_reason: 'abandoned' }),
  );
  await step('read a paid intent', () => read(paidId));
  await step('list disputes of a payment', () => stripe.disputes.list({ payment_intent: paidId }));
  await step('list intents since a time', () =>
    stripe.paymentIntents.list({ created: { gte: since }, limit: 100 }),
  );

  // A declined card, then an authentication that does not come, then a cancellation.
  const declinedId = (await create('declined'))?.id ?? '';
  await step('a declined card', () => confirm(declinedId, 'pm_card_chargeDeclined'));
  await step('read a declined intent', () => read(declinedId));
  await step('list charges of a payment', () =>
    stripe.charges.list({ payment_intent: declinedId, limit: 100 }),
  );
  await step('a card that needs authentication', () =>
    confirm(declinedId, 'pm_card_authenticationRequired'),
  );
  await step('cancel', () =>
    stripe.paymentIntents.cancel(declinedId, { cancellation_reason: 'abandoned' }),
  );
  await step('pay a cancelled intent', () => confirm(declinedId, 'pm_card_visa'));
  await step('cancel twice', () =>
    stripe.paymentIntents.cancel(declinedId, { cancellation_reason: 'abandoned' }),
  );

  // What a stranger or another account might ask for.
  await step('an unknown intent', () => stripe.paymentIntents.retrieve('pi_does_not_exist'));
  await step('an amount that is too small', () =>
    stripe.paymentIntents.create({ amount: 100, currency: 'nok', ...METHODS }),
  );
  await step('a removed parameter', () =>
    stripe.paymentIntents.create({
      amount: 14_900,
      currency: 'nok',
      payment_method_types: ['card'],
    } as Stripe.PaymentIntentCreateParams),
  );

  // Refunds.
  const refund = await step('refund a part', () =>
    stripe.refunds.create(
      {
        payment_intent: paidId,
        amount: 4_900,
        reason: 'requested_by_customer',
        metadata: { refund_id: run, payment_id: run },
      },
      { idempotencyKey: `${run}-refund` },
    ),
  );
  answers.push({
    step: 'the refund is of the payment',
    body: { same: refund?.payment_intent === paidId },
  });
  await step('refund more than is left', () =>
    stripe.refunds.create({ payment_intent: paidId, amount: 14_900 }),
  );
  await step('refund an unpaid intent', () =>
    stripe.refunds.create({ payment_intent: declinedId }),
  );
  await step('list refunds of a payment', () =>
    stripe.refunds.list({ payment_intent: paidId, limit: 100 }),
  );

  // A dispute, which Stripe opens a moment after the charge.
  const disputedId = (await create('disputed'))?.id ?? '';
  await step('a card that is disputed', () => confirm(disputedId, 'pm_card_createDispute'));
  await eventually(
    'a dispute',
    () => stripe.disputes.list({ payment_intent: disputedId }),
    ({ data }) => data.length > 0,
  );

  // The balance, as the books are compared with it.
  await eventually(
    'list transactions of the balance',
    () =>
      stripe.balanceTransactions.list({
        created: { gte: since },
        limit: 100,
        expand: ['data.source'],
      }),
    ({ data }) => data.length > 0,
  );

  // Events, as reconciliation reads them.
  await eventually(
    'events of a payment',
    () => stripe.events.list({ types: [...EVENT_TYPES], created: { gte: since }, limit: 100 }),
    ({ data }) => EVENT_TYPES.every((type) => data.some((event) => event.type === type)),
  );
  await step('undelivered events', () =>
    stripe.events.list({ types: [...EVENT_TYPES], delivery_success: false, limit: 1 }),
  );

  // The webhook endpoint and the domain for wallets, as an operator registers them.
  const url = `https://${run}.example.com/api/v1/stripe/webhook`;
  const endpoint = await step('create a webhook endpoint', () =>
    stripe.webhookEndpoints.create({
      url,
      enabled_events: [...EVENT_TYPES],
      api_version: API_VERSION,
      description: 'Prøveklar',
    }),
  );
  if (endpoint) {
    cleanups.push(() => stripe.webhookEndpoints.del(endpoint.id));
    await step('add events to a webhook endpoint', () =>
      stripe.webhookEndpoints.update(endpoint.id, {
        enabled_events: [...EVENT_TYPES, 'charge.refunded'],
        disabled: false,
      }),
    );
  }
  await step('list webhook endpoints', () => stripe.webhookEndpoints.list({ limit: 100 }));
  const domain = await step('register a domain for wallets', () =>
    stripe.paymentMethodDomains.create({ domain_name: 'proveklar-contract.example.com' }),
  );
  if (domain) {
    await step('switch a domain on', () =>
      stripe.paymentMethodDomains.update(domain.id, { enabled: true }),
    );
    await step('check a domain', () => stripe.paymentMethodDomains.validate(domain.id));
  }
  await step('find a domain', () =>
    stripe.paymentMethodDomains.list({ domain_name: 'proveklar-contract.example.com', limit: 1 }),
  );

  // The stand-in keeps them; nothing is left at Stripe.
  for (const cleanup of cleanups) await cleanup().catch(() => {});
  return answers;
}

function errorOf(error: unknown): {
  type: string;
  code?: string;
  decline_code?: string;
  status?: number;
} {
  const { rawType, type, code, decline_code, statusCode } = error as Record<string, unknown>;
  if (typeof type !== 'string') throw error;
  return {
    type: typeof rawType === 'string' ? rawType : type,
    ...(typeof code === 'string' && { code }),
    ...(typeof decline_code === 'string' && { decline_code }),
    ...(typeof statusCode === 'number' && { status: statusCode }),
  };
}
