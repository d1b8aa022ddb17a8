import Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { confirmRegistration } from '@proveklar/services/payments/confirm-payment.ts';
import { createRegistrationIntent } from '@proveklar/services/payments/create-intent.ts';
import {
  storeStripeEvent,
  requestReclaimedLink,
  processStripeEvent,
} from '@proveklar/services/payments/incoming/stripe-events.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import { setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { uniqueEmail } from '#support/identity.ts';
import { countUsers, payWithCard, stripeControl } from '#support/pay.ts';
import { choosePasswordByMail, sendPasswordMails } from '#support/password-mails.ts';
import { randomFor } from '#support/random.ts';
import { bySize, testSeed } from '#support/settings.ts';
import { atEachStep, type CrashPoint, type Step } from './crash.ts';

// Whichever process dies at whichever call, a paid registration becomes one account with one credit, its
// learner can sign in, and one click is one payment.
const isFull = bySize({ quick: false, large: false, full: true });
const PASSWORD = 'et godt passord';
const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));

interface Registration {
  email: string;
  intentId: string;
  eventId: string;
}

async function paidRegistration(): Promise<Registration> {
  const email = uniqueEmail();
  const { payment_intent_id: intentId } = await createRegistrationIntent(gateway.deps, {
    email,
    username: 'Ny',
  });
  return afterPaying(email, intentId!);
}

const SQUATTERS = 'a password of the squatter';
/** The squatters' tokens, by address. */
const squatters = new Map<string, string>();

/** A registration paid for an address that a stranger has signed up with. */
async function squattedRegistration(): Promise<Registration> {
  const registration = await paidRegistration();
  const { idToken } = await gateway.identity.createPasswordUser(registration.email, SQUATTERS);
  await gateway.call('GET', '/account', { token: idToken });
  squatters.set(registration.email, idToken);
  return registration;
}

/** Expects one account with the credit, to which only the mailed link gives access, and not the squatter. */
async function expectReclaimed(registration: Registration): Promise<void> {
  const { email, intentId } = registration;
  const { deps, identity } = gateway;
  expect(await countUsers(gateway, email)).toBe(1);
  const { rows } = await deps.db.query(
    `select payment.id, state, account_existed, address_reclaimed,
       (select uid from account where id = payment.account_id) as uid,
       (select count(*)::int from credit where payment_id = payment.id) as credits,
       (select count(*)::int from receipt where payment_id = payment.id) as receipts,
       (select count(*)::int from outbox where name = 'registration.reclaimed'
        and payload ->> 'payment_id' = payment.id::text) as mails
     from payment where payment_intent_id = $1`,
    [intentId],
  );
  const flags = { state: 'settled', account_existed: true, address_reclaimed: true };
  expect(rows).toMatchObject([{ ...flags, uid: rows[0].id, credits: 1, receipts: 1, mails: 1 }]);
  const token = squatters.get(email)!;
  expect((await gateway.call('GET', '/account', { token })).status).toBe(401);
  for (const password of [SQUATTERS, PASSWORD]) {
    await expect(identity.signInWithPassword(email, password)).rejects.toThrow('INVALID');
  }
  await requestReclaimedLink(deps, rows[0].id);
  await choosePasswordByMail(gateway, email, 'of the owner');
  await identity.signInWithPassword(email, 'of the owner');
}

async function afterPaying(email: string, intentId: string): Promise<Registration> {
  await payWithCard(gateway, intentId);
  const event = {
    id: `evt_${crypto.randomUUID()}`,
    type: 'payment_intent.succeeded',
    data: { object: { id: intentId, object: 'payment_intent' } },
  } as Stripe.Event;
  await withTransaction(gateway.deps.db, (tx) => storeStripeEvent(tx, event, 'webhook'));
  return { email, intentId, eventId: event.id };
}

const PATHS = {
  confirm: (deps: PaymentDeps, { email, intentId }: Registration) => {
    const person = { email, username: 'Ny', password: PASSWORD };
    return confirmRegistration(deps, { ...person, paymentIntentId: intentId });
  },
  webhook: (deps: PaymentDeps, { eventId }: Registration) => processStripeEvent(deps, eventId, 0),
};
type Path = keyof typeof PATHS;

/** Expects one user, account, credit and receipt, and that the learner can sign in. */
async function expectUsable({ email, intentId }: Registration): Promise<void> {
  expect(await countUsers(gateway, email)).toBe(1);
  const { rows } = await gateway.deps.db.query(
    `select payment.state, days, days_taken_back, account_existed,
       (select count(*)::int from receipt where payment_id = payment.id) as receipts
     from payment join credit on credit.payment_id = payment.id where payment_intent_id = $1`,
    [intentId],
  );
  const ledger = { state: 'settled', days: 30, days_taken_back: 0, receipts: 1 };
  expect(rows).toEqual([{ ...ledger, account_existed: false }]);
  const mails = await sendPasswordMails(gateway, email);
  if (mails.length === 0) await gateway.identity.signInWithPassword(email, PASSWORD);
}

/** The error of a call whose connection breaks. */
function lostAnswer(step: Step): Error {
  if (step.startsWith('stripe')) {
    const message = 'The connection broke';
    return new Stripe.errors.StripeConnectionError({ message, type: 'api_error' });
  }
  if (step.startsWith('identity')) return new AppError('identity_provider_failed');
  return new Error('Connection terminated unexpectedly');
}

const CRASHES = [
  ['killed after', { when: 'after' }],
  ['killed before', { when: 'before' }],
  ['answer lost after', { when: 'after', failure: lostAnswer }],
  ['refused before', { when: 'before', failure: lostAnswer }],
] as const satisfies [string, Pick<CrashPoint, 'when' | 'failure'>][];
const ORDERS: [Path, Path][] = [
  ['confirm', 'webhook'],
  ['webhook', 'confirm'],
  ['confirm', 'confirm'],
  ['webhook', 'webhook'],
];
const drawn = randomFor(testSeed('this crash'), 'order').below(2);
/** Which of them a stranger's sign-up precedes, which takes longer. */
const SQUATTED = bySize({
  quick: ORDERS.slice(drawn, drawn + 1),
  large: ORDERS.slice(0, 2),
  full: ORDERS,
});

describe.each(isFull ? CRASHES : CRASHES.slice(0, 1))('%s each call', (_name, crash) => {
  test.each(isFull ? ORDERS : ORDERS.slice(0, 2))(
    'of the %s path, and the %s path completes the registration',
    async (one, other) => {
      const steps = await atEachStep(
        gateway.deps,
        crash,
        paidRegistration,
        PATHS[one],
        async (registration) => {
          await PATHS[other](gateway.deps, registration);
          await expectUsable(registration);
        },
      );
      // The test proves nothing unless it crashes at this call.
      expect(steps.filter((step) => step === 'identity createUser')).toHaveLength(1);
      expect(steps).toContain('stripe paymentIntents.retrieve');
      expect(steps).toContain('sql commit');
    },
  );

  test.each(SQUATTED)(
    'of the %s path over a squatted address, the %s path takes the address from the squatter',
    async (one, other) => {
      const steps = await atEachStep(
        gateway.deps,
        crash,
        squattedRegistration,
        PATHS[one],
        async (paid) => {
          await PATHS[other](gateway.deps, paid);
          await expectReclaimed(paid);
        },
      );
      expect(steps.filter((step) => step === 'identity createUser')).toHaveLength(2);
      expect(steps).toContain('identity deleteUser');
      expect(steps).toContain('sql update payment set');
    },
  );

  test('of the start of a payment, and the same click gets one payment', async () => {
    const begin = (deps: PaymentDeps, { email, clientKey }: { email: string; clientKey: string }) =>
      createRegistrationIntent(
        { ...deps, paymentMethods: ['card'], isLive: false },
        { email, username: 'Ny', clientKey },
      );
    const click = async () => ({ email: uniqueEmail(), clientKey: crypto.randomUUID() });
    const steps = await atEachStep(gateway.deps, crash, click, begin, async (subject) => {
      const answers = [await begin(gateway.deps, subject), await begin(gateway.deps, subject)];
      const [intentId, again] = answers.map((answer) => answer.payment_intent_id!);
      expect(again).toBe(intentId);
      expect(await intentsFor(subject.email)).toEqual([intentId]);
      const registration = await afterPaying(subject.email, intentId!);
      await PATHS.confirm(gateway.deps, registration);
      await expectUsable(registration);
    });
    expect(steps).toContain('stripe paymentIntents.create');
  });
});

/** Stripe's PaymentIntents for an address. */
async function intentsFor(email: string): Promise<string[]> {
  const { rows } = await gateway.deps.db.query<{ id: string }>(
    'select id from payment where email = $1',
    [email],
  );
  const payments = new Set(rows.map(({ id }) => id));
  const { data } = await gateway.deps.stripe.paymentIntents.list({ limit: 100 });
  return data.filter(({ metadata }) => payments.has(metadata.payment_id ?? '')).map(({ id }) => id);
}

test('30 clicks at once, with lost answers and a stored failure, get one PaymentIntent', async () => {
  const control = stripeControl(gateway);
  const call = 'POST /v1/payment_intents';
  // Stripe's library makes three attempts.
  await control.addFault({ kind: 'drop', call, when: 'after', times: 4, skip: 1 });
  await control.addFault({
    kind: 'error',
    call,
    when: 'after',
    status: 500,
    stored: true,
    times: 2,
  });
  const body = { email: uniqueEmail(), username: 'Ny' };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const click = async (): Promise<unknown> => {
    for (;;) {
      const path = '/payment/create-registration-intent';
      const answer = await gateway.call('POST', path, { body, headers });
      if (answer.status === 200) return answer.body;
      expect(answer).toMatchObject({ status: 502, body: { code: 'payment_provider_failed' } });
    }
  };
  const answers = await Promise.all(Array.from({ length: 30 }, click));
  const { data: faults } = await control.removeFaults();
  expect(faults.map(({ hits }) => hits)).toEqual([4, 2]);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  const { rows } = await gateway.deps.db.query(
    'select payment_intent_id from payment where email = $1',
    [body.email],
  );
  expect(rows).toEqual([
    { payment_intent_id: (answers[0] as { payment_intent_id: string }).payment_intent_id },
  ]);
});

test('100 confirm calls and 5 events at once create one user, credit and receipt', async () => {
  const registration = await paidRegistration();
  const { deps } = gateway;
  await Promise.all([
    ...Array.from({ length: 100 }, () => PATHS.confirm(deps, registration)),
    ...Array.from({ length: 5 }, () => PATHS.webhook(deps, registration)),
  ]);
  await expectUsable(registration);
});
