import { setTimeout as sleep } from 'node:timers/promises';
import type { Control } from '@proveklar/stripe-stand-in/control/client.ts';
import { withTransaction, type Database } from '@proveklar/services/database/pool.ts';
import type { StripeApi } from '@proveklar/services/payments/payment.ts';
import { requestRefund } from '@proveklar/services/payments/refund.ts';
import type { TestIdentity } from '#support/identity.ts';
import type { Client, ClientCall } from './client.ts';
import { isPaid, type LearnerPlan, type PaymentPlan, type Reversal } from './plan.ts';
import { randomFor, type Random } from '#support/random.ts';
import { idOf } from './stripe-truth.ts';

export const PASSWORD = 'et godt passord';
const POLL_INTERVAL_MS = 200;

export interface World {
  db: Database;
  stripe: StripeApi;
  control: Control;
  identity: TestIdentity;
  client: Client;
  seed: number;
  /** Called for each payment as soon as its learner has a PaymentIntent. */
  onBegun: (intentId: string, plan: PaymentPlan) => void;
  onPaid: (intentId: string) => void;
  /** Called after each payment, whatever its outcome. */
  onDone: () => void;
}

interface Payer {
  begin: (plan: PaymentPlan) => Promise<{ intentId: string; clientSecret: string }>;
  confirm: (intentId: string, dropAfterMs?: number) => Promise<unknown>;
}

/** Carries out a learner's plan, with what banks and administrators do to the payments. */
export async function carryOut(world: World, learner: LearnerPlan): Promise<void> {
  const payer =
    learner.kind === 'registration' ? newcomer(world, learner) : await member(world, learner);
  for (const plan of learner.payments) {
    const random = randomFor(world.seed, `moments of payment ${plan.number}`);
    const { intentId, clientSecret } = await payer.begin(plan);
    world.onBegun(intentId, plan);
    const early = times(plan.confirmsBefore, () => payer.confirm(intentId));
    await pay(world, plan, intentId, clientSecret);
    if (isRedirected(plan)) await comeBack(world, plan, { intentId, clientSecret }, random);
    const reversing = plan.reversedEarly ? reverse(world, plan.reversal, intentId, random) : null;
    const late = times(plan.confirmsAfter, (n) =>
      payer.confirm(intentId, plan.dropsConnection && n === 0 ? random.below(40) : undefined),
    );
    await Promise.all([...early, ...late, reversing]);
    if (!reversing) await reverse(world, plan.reversal, intentId, random);
    world.onDone();
  }
}

function newcomer({ client }: World, { email, payments }: LearnerPlan): Payer {
  const person = { email, username: 'Ny' };
  const address = addressOf(payments[0]!);
  return {
    async begin({ number }) {
      const path = '/payment/create-registration-intent';
      const request = { path, body: person, key: `click-${number}-${email}`, address };
      return begin(client, request);
    },
    confirm: (payment_intent_id, dropAfterMs) => {
      const body = { ...person, password: PASSWORD, payment_intent_id };
      const path = '/payment/confirm-registration';
      return client.call({
        path,
        body,
        address,
        ...(dropAfterMs !== undefined && { dropAfterMs }),
      });
    },
  };
}

async function member(
  { client, identity }: World,
  { email, payments }: LearnerPlan,
): Promise<Payer> {
  const { idToken: token } = await identity.createPasswordUser(email, PASSWORD);
  const address = addressOf(payments[0]!);
  return {
    begin: () => begin(client, { path: '/payment/create-intent', token, address }),
    confirm: (payment_intent_id, dropAfterMs) => {
      const body = { payment_intent_id };
      const path = '/payment/confirm';
      const drop = dropAfterMs !== undefined && { dropAfterMs };
      return client.call({ path, body, token, address, ...drop });
    },
  };
}

async function begin(client: Client, request: ClientCall) {
  const answer = await client.call(request);
  if (answer?.status !== 200) throw new Error(`${request.path}: ${JSON.stringify(answer)}`);
  const { payment_intent_id: intentId, client_secret: clientSecret } = answer.body;
  return { intentId: intentId as string, clientSecret: clientSecret as string };
}

const isRedirected = ({ bankOutcome }: PaymentPlan) => bankOutcome.startsWith('redirect');

/** The page of the return asks where the payment stands, if the browser lives. */
async function comeBack(
  { client }: World,
  plan: PaymentPlan,
  { intentId, clientSecret }: { intentId: string; clientSecret: string },
  random: Random,
): Promise<void> {
  if (plan.dies === 'out' || plan.bankOutcome === 'redirect_closed') return;
  const answer = await client.call({
    path: '/payment/status',
    body: { payment_intent_id: intentId, client_secret: clientSecret },
    address: addressOf(plan),
    ...(plan.dies === 'back' && { dropAfterMs: random.below(40) }),
  });
  if (answer && answer.status !== 200) throw new Error(`status: ${JSON.stringify(answer)}`);
}

export async function pay(
  { stripe, control, client, onPaid }: World,
  plan: PaymentPlan,
  intentId: string,
  clientSecret: string,
): Promise<void> {
  const card = (name: string) =>
    stripe.paymentIntents.confirm(intentId, {
      payment_method: `pm_card_${name}`,
      return_url: 'https://example.no',
    });
  const declined = () => card('chargeDeclined').catch(() => {});
  const leaveForVipps = () =>
    stripe.paymentIntents.confirm(intentId, {
      payment_method_data: { type: 'vipps' as 'card' },
      return_url: 'https://example.no/quiz/payment',
    });
  const steps = {
    paid: () => card('visa'),
    declined,
    declined_then_paid: async () => {
      await declined();
      await card('visa');
    },
    authenticated: async () => {
      await card('authenticationRequired');
      await control.authenticate(intentId, 'complete');
    },
    not_authenticated: async () => {
      await card('authenticationRequired');
      await control.authenticate(intentId, 'fail');
    },
    processing: () => card('processing'),
    processed: async () => {
      await card('processing');
      await control.settle(intentId, 'succeed');
    },
    wallet: () => card(plan.number % 2 === 0 ? 'applePay' : 'googlePay'),
    redirected: async () => {
      await leaveForVipps();
      await control.authenticate(intentId, 'complete');
    },
    redirect_refused: async () => {
      await leaveForVipps();
      await control.authenticate(intentId, 'fail');
    },
    redirect_closed: leaveForVipps,
    abandoned: async () => {},
    cancelled: () => {
      const body = { payment_intent_id: intentId, client_secret: clientSecret };
      return client.call({ path: '/payment/cancel', body, address: addressOf(plan) });
    },
  };
  await steps[plan.bankOutcome]();
  if (isPaid(plan.bankOutcome)) onPaid(intentId);
}

export async function reverse(
  { stripe, control, db }: World,
  reversal: Reversal,
  intentId: string,
  random: Random,
): Promise<void> {
  if (reversal === 'none') return;
  const intent = await stripe.paymentIntents.retrieve(intentId);
  const chargeId = idOf(intent.latest_charge);
  const part = () => 1 + random.below(Math.floor(intent.amount / 2) - 1);
  const refund = (amount?: number) =>
    stripe.refunds.create({ payment_intent: intentId, ...(amount && { amount }) });
  const decide = async (evidence: 'winning_evidence' | 'losing_evidence') => {
    const { id } = await control.dispute(chargeId);
    await stripe.disputes.update(id, { evidence: { uncategorized_text: evidence }, submit: true });
  };
  const steps = {
    partial: () => refund(part()),
    partial_twice: async () => {
      await refund(part());
      await refund(part());
    },
    full: () => refund(),
    requested: () => requestWhenPaid(db, intentId, part()),
    disputed: () => control.dispute(chargeId),
    dispute_won: () => decide('winning_evidence'),
    dispute_lost: () => decide('losing_evidence'),
    partial_and_dispute_won: async () => {
      await refund(part());
      await decide('winning_evidence');
    },
  };
  await steps[reversal]();
}

/** Requests a refund as an administrator does: only a payment that our ledger has can be refunded. */
async function requestWhenPaid(db: Database, intentId: string, amountOre: number): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ id: string }>(
      `select id from payment where payment_intent_id = $1 and intent_status = 'succeeded'`,
      [intentId],
    );
    if (rows[0]) {
      const request = {
        amountOre,
        reason: 'administrator',
        requestedBy: 'admin@example.no',
      } as const;
      const paymentId = rows[0].id;
      await withTransaction(db, (tx) => requestRefund(tx, { ...request, paymentId }));
      return;
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

/** An IP address of its own for each payment. */
export function addressOf({ number }: PaymentPlan): string {
  return `10.1.${number >> 8}.${number & 255}`;
}

function times<T>(count: number, work: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => work(n));
}
