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

// Promise 4: whatever happens to a payment, and in whatever order, how often and how late we hear of
// it, our books end with what Stripe's objects say.
const RUNS = bySize({ quick: 20, large: 50, full: 1_000 });
const SEED = testSeed('these histories');
const TYPES: ReadonlySet<string> = new Set(STRIPE_EVENT_TYPES);

const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));

/** What happens at Stripe. A step that is not possible then is left out. */
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
  // Most are paid: otherwise there would be little to get wrong.
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
  /** After each step: how many of the events known by then are acted on meanwhile, and which. */
  meanwhile: fc.array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: 9, maxLength: 9 }),
  /** In the end: the order, with repetitions; what is not in it never comes. */
  order: fc.array(fc.nat(), { maxLength: 14 }),
  atOnce: fc.integer({ min: 1, max: 4 }),
  /** Milliseconds for which Stripe's answers are on their way. */
  lags: fc.array(fc.constantFrom(0, 0, 0, 10, 50), { minLength: 3, maxLength: 3 }),
});
type Scenario = typeof Scenario extends fc.Arbitrary<infer T> ? T : never;

/** What must be among the histories however few there are. */
const ALWAYS: Step[][] = [
  ['dispute', 'lose'],
  ['refund_part', 'dispute', 'win'],
  ['refund_part', 'refund_rest', 'refund_fails'],
];

/**
 * Stripe's API as one caller may see it: some answers are on their way for long, and are old when they
 * arrive; and a refund may fail, which those of the stand-in never do.
 */
function seenFromAfar(
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

/** One payment, what happens to it at Stripe, and the events that Stripe has of it. */
async function beginPayment({ purpose, lags }: Scenario) {
  const failed = new Set<string>();
  const stripe = seenFromAfar(gateway.deps.stripe, { failed, lags });
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
    /** Does nothing when it is not possible now. */
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

/** Our books of a payment, without ids and times. */
async function booksOf(intentId: string) {
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

async function hear({ deps }: Awaited<ReturnType<typeof beginPayment>>, event: Stripe.Event) {
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
    // Not awaited: the next thing happens at Stripe while these are being acted on.
    for (const pick of scenario.meanwhile[n] ?? []) {
      underway.push(hear(payment, known[pick % known.length]!));
    }
  }
  const known = await payment.events();
  const picked = scenario.order.flatMap((pick) => known[pick % known.length] ?? []);
  // What was never told is found by the reconciliation, which acts on it as if it had come. Nothing
  // more is read from Stripe after that: the last to hear of something leaves the books right.
  const missed = known.filter(({ id }) => !picked.some((event) => event.id === id));
  const order = [...picked, ...missed];
  for (let next = 0; next < order.length; next += scenario.atOnce) {
    const few = order.slice(next, next + scenario.atOnce);
    await Promise.all(few.map((event) => hear(payment, event)));
  }
  await Promise.all(underway);
  if (known.length === 0) return;
  expect(await booksOf(payment.intentId)).toEqual(expectedOf(await payment.truth()));
}

test(
  `${RUNS} histories end as Stripe says, in whatever order they are heard of`,
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
      // What fails by a race need not fail again when it is made smaller.
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
