import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import {
  createExtensionIntent,
  createRegistrationIntent,
} from '@proveklar/services/payments/create-intent.ts';
import type { StripeApi } from '@proveklar/services/payments/payment.ts';
import {
  storeStripeEvent,
  processStripeEvent,
  STRIPE_EVENT_TYPES,
} from '@proveklar/services/payments/incoming/stripe-events.ts';
import { createLearner, setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { TEST_TIMEOUT_MS } from '#support/hang.ts';
import { uniqueEmail } from '#support/identity.ts';
import { stripeControl } from '#support/pay.ts';
import { bySize, testSeed } from '#support/settings.ts';
import { idOf, truthOf, type Truth } from './stripe-truth.ts';

// Whatever happens to a payment, and in whatever order, however often and late its events arrive, our
// ledger ends up agreeing with Stripe's objects.
const RUNS = bySize({ quick: 10, large: 50, full: 1_000 });
const SEED = testSeed('these histories');
const TYPES: ReadonlySet<string> = new Set(STRIPE_EVENT_TYPES);

const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));

/** What happens at Stripe. A step that is not possible is skipped. */
const STEPS = [
  'decline',
  'process',
  'ask_customer',
  'customer_fails',
  'bank_refuses',
  'succeed',
  'cancel',
  'refund_part',
  'refund_rest',
  'refund_fails',
  'dispute',
  'win',
  'lose',
] as const;
type Step = (typeof STEPS)[number];

const Scenario = fc.record({
  purpose: fc.constantFrom('registration' as const, 'extension' as const),
  before: fc.array(fc.constantFrom<Step>('decline', 'process', 'ask_customer', 'customer_fails'), {
    maxLength: 3,
  }),
  // Most are paid, because unpaid payments have few effects.
  ending: fc.constantFrom<Step>('succeed', 'succeed', 'succeed', 'succeed', 'cancel', 'decline'),
  after: fc.array(
    fc.constantFrom<Step>(
      'refund_part',
      'refund_part',
      'refund_rest',
      'refund_fails',
      'dispute',
      'win',
      'lose',
    ),
    { maxLength: 5 },
  ),
  /** After each step: which of the events known by then are processed meanwhile. */
  meanwhile: fc.array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: 9, maxLength: 9 }),
  /** At the end: the order of delivery, with repetitions; events that are not in it are never delivered. */
  order: fc.array(fc.nat(), { maxLength: 14 }),
  atOnce: fc.integer({ min: 1, max: 4 }),
  /** The delay of Stripe's answers in milliseconds. */
  lags: fc.array(fc.constantFrom(0, 0, 0, 10, 50), { minLength: 3, maxLength: 3 }),
});
type Scenario = typeof Scenario extends fc.Arbitrary<infer T> ? T : never;

/** Histories that every run includes. */
const ALWAYS: Step[][] = [
  ['dispute', 'lose'],
  ['refund_part', 'dispute', 'win'],
  ['refund_part', 'refund_rest', 'refund_fails'],
];

/**
 * Stripe's API with delayed answers, which are stale when they arrive, and with failed refunds, which the
 * stand-in does not have.
 */
function withStaleAnswers(
  stripe: StripeApi,
  { failed, lags }: { failed: ReadonlySet<string>; lags: readonly number[] },
): StripeApi {
  let call = 0;
  const paymentIntents = Object.create(stripe.paymentIntents) as StripeApi['paymentIntents'];
  const retrieve = async (id: string, params?: Stripe.PaymentIntentRetrieveParams) => {
    const intent = await stripe.paymentIntents.retrieve(id, params);
    await sleep(lags[(call += 1) % lags.length]);
    return intent;
  };
  paymentIntents.retrieve = retrieve;
  const refunds = Object.create(stripe.refunds) as StripeApi['refunds'];
  const list = async (query: Stripe.RefundListParams) => {
    const page = await stripe.refunds.list(query);
    const data = page.data.map((refund) =>
      failed.has(refund.id) ? { ...refund, status: 'failed' } : refund,
    );
    return { ...page, data };
  };
  refunds.list = list as unknown as typeof refunds.list;
  return Object.assign(Object.create(stripe) as StripeApi, { refunds, paymentIntents });
}

/** Starts a payment; returns its steps at Stripe, and Stripe's events of it. */
async function beginPayment({ purpose, lags }: Scenario) {
  const failed = new Set<string>();
  const stripe = withStaleAnswers(gateway.deps.stripe, { failed, lags });
  const deps = { ...gateway.deps, stripe };
  const wish = { email: uniqueEmail(), username: 'Ny' };
  const answer =
    purpose === 'registration'
      ? await createRegistrationIntent(deps, wish)
      : await createExtensionIntent(deps, await learner());
  const intentId = answer.payment_intent_id!;
  const control = stripeControl(gateway);
  const invented: Stripe.Event[] = [];
  const { data: newest } = await gateway.deps.stripe.events.list({ limit: 1 });
  const read = () => gateway.deps.stripe.paymentIntents.retrieve(intentId);
  const card = (name: string) =>
    gateway.deps.stripe.paymentIntents.confirm(intentId, {
      payment_method: `pm_card_${name}`,
      return_url: 'https://example.no',
    });
  const dispute = async () => {
    const { data } = await gateway.deps.stripe.disputes.list({ payment_intent: intentId });
    return data[0]!.id;
  };
  const decide = async (uncategorized_text: string) =>
    gateway.deps.stripe.disputes.update(await dispute(), {
      evidence: { uncategorized_text },
      submit: true,
    });
  const steps: Record<Step, () => Promise<unknown>> = {
    decline: () => card('chargeDeclined'),
    process: () => card('processing'),
    ask_customer: () => card('authenticationRequired'),
    customer_fails: () => control.authenticate(intentId, 'fail'),
    bank_refuses: () => control.settle(intentId, 'fail'),
    succeed: async () => {
      const { status } = await read();
      if (status === 'processing') return control.settle(intentId, 'succeed');
      if (status === 'requires_action') return control.authenticate(intentId, 'complete');
      return card('visa');
    },
    cancel: () => gateway.deps.stripe.paymentIntents.cancel(intentId),
    refund_part: () =>
      gateway.deps.stripe.refunds.create({ payment_intent: intentId, amount: 33_33 }),
    refund_rest: () => gateway.deps.stripe.refunds.create({ payment_intent: intentId }),
    refund_fails: async () => {
      const { data } = await gateway.deps.stripe.refunds.list({ payment_intent: intentId });
      const refund = data.find(({ id }) => !failed.has(id));
      if (!refund) return;
      failed.add(refund.id);
      const id = `evt_${crypto.randomUUID()}`;
      invented.push({ id, type: 'refund.failed', data: { object: refund } } as Stripe.Event);
    },
    dispute: async () => control.dispute(idOf((await read()).latest_charge)),
    win: () => decide('winning_evidence'),
    lose: () => decide('losing_evidence'),
  };
  return {
    intentId,
    deps,
    /** Does nothing when the step is not possible now. */
    step: (name: Step) => steps[name]().catch(() => {}),
    async events(): Promise<Stripe.Event[]> {
      const { data } = await gateway.deps.stripe.events.list({
        limit: 100,
        ...(newest[0] && { ending_before: newest[0].id }),
      });
      const told = data.filter(({ type }) => TYPES.has(type));
      return [...told.filter((event) => JSON.stringify(event).includes(intentId)), ...invented];
    },
    async truth(): Promise<Truth> {
      const query = { payment_intent: intentId, limit: 100 };
      const [intent, refunds, disputes] = await Promise.all([
        read(),
        stripe.refunds.list(query),
        stripe.disputes.list(query),
      ]);
      return truthOf(intent, refunds.data, disputes.data);
    },
  };
}

async function learner() {
  return { ...(await createLearner(gateway.deps.db, { days: 0 })), language: 'no' as const };
}

/** Our ledger of a payment, without ids and times. */
async function ledgerOf(intentId: string) {
  const { rows } = await gateway.deps.db.query(
    `select payment.state, intent_status, refunded_ore, dispute,
       array(select array[days, days_taken_back] from credit where payment_id = payment.id) as credits,
       (select count(*)::int from receipt where payment_id = payment.id) as receipts,
       array(select state || ' ' || amount_ore from refund
             where payment_id = payment.id order by 1) as refunds,
       array(select status from dispute where payment_id = payment.id order by 1) as disputes,
       coalesce(round(extract(epoch from service_expires_at - credited_at) / 86400)::int, 0) as left
     from payment left join account on account.id = payment.account_id
       left join credit on credit.payment_id = payment.id
     where payment_intent_id = $1`,
    [intentId],
  );
  return rows[0];
}

function expectedOf(truth: Truth) {
  const { succeeded, status, days, takenBack } = truth;
  const state = succeeded ? 'settled' : status === 'canceled' ? 'cancelled' : 'open';
  return {
    state,
    intent_status: status,
    refunded_ore: truth.refundedOre,
    dispute: truth.dispute,
    credits: succeeded ? [[days, takenBack]] : [],
    receipts: succeeded ? 1 : 0,
    refunds: truth.refunds.map((refund) => `${String(refund.status)} ${refund.amount}`).toSorted(),
    disputes: truth.disputes.map((dispute) => dispute.status).toSorted(),
    left: succeeded ? days - takenBack : 0,
  };
}

async function processEvent(
  { deps }: Awaited<ReturnType<typeof beginPayment>>,
  event: Stripe.Event,
) {
  await withTransaction(deps.db, (tx) => storeStripeEvent(tx, event, 'webhook'));
  await processStripeEvent(deps, event.id, 0);
}

async function play(scenario: Scenario): Promise<void> {
  const payment = await beginPayment(scenario);
  const steps = [...scenario.before, scenario.ending, ...scenario.after];
  const underway: Promise<unknown>[] = [];
  for (const [n, step] of steps.entries()) {
    await payment.step(step);
    const known = await payment.events();
    if (known.length === 0) continue;
    // Not awaited: the next step happens at Stripe while these events are being processed.
    for (const pick of scenario.meanwhile[n] ?? []) {
      underway.push(processEvent(payment, known[pick % known.length]!));
    }
  }
  const known = await payment.events();
  const picked = scenario.order.flatMap((pick) => known[pick % known.length] ?? []);
  // The reconciliation finds events that were never delivered, and processes them in the same way. Nothing
  // more is read from Stripe afterwards: the last event processed must leave the ledger right.
  const missed = known.filter(({ id }) => !picked.some((event) => event.id === id));
  const order = [...picked, ...missed];
  for (let next = 0; next < order.length; next += scenario.atOnce) {
    const few = order.slice(next, next + scenario.atOnce);
    await Promise.all(few.map((event) => processEvent(payment, event)));
  }
  await Promise.all(underway);
  if (known.length === 0) return;
  expect(await ledgerOf(payment.intentId)).toEqual(expectedOf(await payment.truth()));
}

test(
  `${RUNS} histories end as Stripe says, in whatever order their events arrive`,
  { timeout: TEST_TIMEOUT_MS + RUNS * 10_000 },
  async () => {
    await fc.assert(fc.asyncProperty(Scenario, play), {
      numRuns: RUNS,
      examples: ALWAYS.map((after): [Scenario] => [
        {
          purpose: 'extension',
          before: [],
          ending: 'succeed',
          after,
          meanwhile: [[0], [1], [0, 1], [2]],
          order: [3, 1, 0],
          atOnce: 2,
          lags: [0, 50, 0],
        },
      ]),
      seed: SEED,
      // A failure by a race may not repeat for a smaller history.
      endOnFailure: true,
    });
    const { rows } = await gateway.deps.db.query(
      `select (select count(*)::int from receipt) as receipts,
       (select last_number::int from receipt_counter) as numbers,
       (select count(*)::int from payment where state = 'settled') as settled`,
    );
    const { receipts, numbers, settled } = rows[0];
    expect([receipts, numbers]).toEqual([settled, settled]);
  },
);
