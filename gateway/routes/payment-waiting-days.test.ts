import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginWaitingDays } from '@proveklar/services/accounts/credit-ledger.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import {
  forgetWithdrawals,
  withdrawalDeadline,
} from '@proveklar/services/payments/books/withdrawal.ts';
import { processStripeEvent } from '@proveklar/services/payments/incoming/stripe-events.ts';
import { findPaymentByIntent } from '@proveklar/services/payments/payment.ts';
import { makeRefund, refundPayment } from '@proveklar/services/payments/refund.ts';
import { deleteUser } from '@proveklar/services/privacy/delete-user.ts';
import {
  addDays,
  createAdministrator,
  createQuestions,
  setPrice,
} from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { payWithCard } from '@proveklar/tests/support/pay.ts';
import { sendPaymentSucceeded } from '@proveklar/tests/support/webhook.ts';

// Payments without consent, by an address or a card that has withdrawn before.
const gateway = useTestGateway();
const PASSWORD = 'et godt passord';
const CONSENT = { consent_version: 'no-2026-11' };
const OTHER_CARD = 'pm_card_mastercard';

beforeAll(async () => {
  await setPrice(gateway.deps.db, 149_00);
  await createQuestions(gateway.deps.db);
});
beforeEach(() => gateway.deps.db.query('truncate withdrawal_mark'));

const query = async (text: string, ...values: unknown[]) =>
  (await gateway.deps.db.query(text, values)).rows;

const begin = (email: string, consent: object = {}) =>
  gateway.call('POST', '/payment/create-registration-intent', {
    body: { email, username: 'Ny', ...consent },
  });

const confirm = (email: string, payment_intent_id: string) =>
  gateway.call('POST', '/payment/confirm-registration', {
    body: { email, username: 'Ny', password: PASSWORD, payment_intent_id },
  });

interface Payer {
  email?: string;
  card?: 'pm_card_visa' | typeof OTHER_CARD;
  consent?: object;
}

/** Registers, pays and confirms. */
async function register({ email = uniqueEmail(), card = 'pm_card_visa', consent }: Payer = {}) {
  const { body: intent } = await begin(email, consent);
  await payWithCard(gateway, intent.payment_intent_id, card);
  const { status, body } = await confirm(email, intent.payment_intent_id);
  expect(status).toBe(200);
  const payment = (await findPaymentByIntent(gateway.deps.db, intent.payment_intent_id))!;
  const { idToken: token } = await gateway.identity.signInWithPassword(email, PASSWORD);
  return { email, token, body, payment };
}

async function uidOf({ payment }: { payment: { account_id: string | null } }): Promise<string> {
  const [{ uid }] = await query('select uid from account where id = $1', payment.account_id);
  return uid;
}

/** Withdraws from a purchase, and processes the refund. */
async function withdraw(token: string, paymentId: string) {
  const path = `/account/payments/${paymentId}`;
  const { body: receipt } = await gateway.call('GET', path, { token });
  const { refund_amount } = receipt.withdrawal;
  const answer = await gateway.call('POST', `${path}/withdraw`, { token, body: { refund_amount } });
  expect(answer.status).toBe(200);
  await makeRefund(gateway.deps, answer.body.id);
  return refund_amount as number;
}

/** A learner who registered with consent, has a verified address, and withdrew. */
async function withdrawn() {
  const learner = await register({ consent: CONSENT });
  await gateway.identity.verifyEmail(await uidOf(learner));
  await withdraw(learner.token, learner.payment.id);
  return learner;
}

/** A payment by the card of a learner who withdrew. */
async function waiting() {
  await withdrawn();
  return register();
}

const creditOf = async (paymentId: string) => {
  const [credit] = await query(
    `select days, days_taken_back, begins_at, service_expires_at,
       service_expires_at - credited_at as length,
       (select count(*)::int from receipt where payment_id = $1) as receipts
     from credit join account on account.id = account_id where payment_id = $1`,
    paymentId,
  );
  return credit;
};

/** Ends the withdrawal period of a payment. */
const endPeriod = (paymentId: string) =>
  query(
    `update credit set begins_at = clock_timestamp() where payment_id = $1 and begins_at is not null`,
    paymentId,
  );

const beginDays = () => withTransaction(gateway.deps.db, (tx) => beginWaitingDays(tx, 100));

const accountOf = async (token: string) => (await gateway.call('GET', '/account', { token })).body;

describe('days without consent wait for the end of the withdrawal period', () => {
  test.each([
    ['the card', { sameEmail: false, card: 'pm_card_visa' }],
    ['the address', { sameEmail: true, card: OTHER_CARD }],
    ['both', { sameEmail: true, card: 'pm_card_visa' }],
  ] as const)('when %s has withdrawn before', async (_, { sameEmail, card }) => {
    const { email } = await withdrawn();
    const { body, payment, token } = await register({ ...(sameEmail && { email }), card });
    const begins = new Date(withdrawalDeadline(payment.settled_at!).getTime() + 1);
    expect(payment.state).toBe('settled');
    const account = { account: { is_active: false }, days_remaining: 0 };
    const waiting_days = [{ begins_at: begins.toISOString(), days: 30 }];
    expect(body).toMatchObject({ ...account, waiting_days });
    expect(await accountOf(token)).toMatchObject({ ...account, waiting_days });
    const quiz = await gateway.call('POST', '/quiz/start', { token, body: { topic: 'Historie' } });
    expect([quiz.status, quiz.body.code]).toEqual([402, 'service_expired']);
    const { body: receipt } = await gateway.call('GET', `/account/payments/${payment.id}`, {
      token,
    });
    const ends_at = new Date(begins.getTime() + 30 * 24 * 60 * 60 * 1000).toISOString();
    const period = { starts_at: begins.toISOString(), ends_at };
    expect(receipt).toMatchObject({ period, current_period: period, state: 'paid' });
  });

  test('days wait when a signed-in learner pays by a card that another account withdrew with', async () => {
    await withdrawn();
    const { idToken: token } = await gateway.identity.createPasswordUser();
    const { body: intent } = await gateway.call('POST', '/payment/create-intent', { token });
    const { payment_intent_id } = intent;
    await payWithCard(gateway, payment_intent_id);
    const { body } = await gateway.call('POST', '/payment/confirm', {
      token,
      body: { payment_intent_id },
    });
    expect(body).toMatchObject({ days_remaining: 0, waiting_days: [{ days: 30 }] });
  });

  test('days wait also after the account that withdrew was deleted', async () => {
    const { email, token } = await withdrawn();
    const { body } = await gateway.call('DELETE', '/account', { token });
    expect(body).toEqual({ ok: true });
    const again = await register({ email, card: OTHER_CARD });
    expect(again.body).toMatchObject({ days_remaining: 0, waiting_days: [{ days: 30 }] });
  });

  test('days wait also before the refund of the withdrawal is paid, by the address', async () => {
    const { email, token, payment } = await register({ consent: CONSENT });
    const path = `/account/payments/${payment.id}/withdraw`;
    await gateway.call('POST', path, { token, body: { refund_amount: 149_00 } });
    const again = await register({ email, card: OTHER_CARD });
    expect(again.body).toMatchObject({ waiting_days: [{ days: 30 }] });
  });

  test('days do not wait with consent, nor for other payers', async () => {
    const { email } = await withdrawn();
    const agreed = await register({ email, consent: CONSENT });
    expect(agreed.body).toMatchObject({ days_remaining: 30, waiting_days: [] });
    const other = await register({ card: OTHER_CARD });
    expect(other.body).toMatchObject({ days_remaining: 30, waiting_days: [] });
  });

  test('days do not wait when an administrator, not a withdrawal, refunded the money', async () => {
    const { payment } = await register({ consent: CONSENT });
    const actor = await createAdministrator(gateway.deps.db);
    const key = crypto.randomUUID();
    const order = { paymentId: payment.id, amountOre: null, note: 'Kulanse', key, actor };
    await makeRefund(gateway.deps, (await refundPayment(gateway.deps.db, order)).id);
    expect((await register()).body).toMatchObject({ days_remaining: 30, waiting_days: [] });
  });
});

test('starting a registration responds the same whether or not the address withdrew, confirming has the same fields', async () => {
  const { email } = await withdrawn();
  const [known, other] = [await begin(email), await begin(uniqueEmail())];
  const shapeOf = ({ status, body }: typeof known) => [
    status,
    Object.entries(body).map(([name, value]) => [name, typeof value]),
    body.amount,
    body.service_days,
  ];
  expect(shapeOf(known)).toEqual(shapeOf(other));
  const [waits, begins] = [await register({ email }), await register({ card: OTHER_CARD })];
  expect(Object.keys(waits.body)).toEqual(Object.keys(begins.body));
});

describe('waiting days', () => {
  test('waiting days begin at their time, once, and complete', async () => {
    const [due, later] = [await waiting(), await register()];
    await endPeriod(due.payment.id);
    expect(await beginDays()).toBe(1);
    expect(await creditOf(due.payment.id)).toMatchObject({
      begins_at: null,
      length: { days: 30 },
    });
    const account = { account: { is_active: true }, days_remaining: 30, waiting_days: [] };
    expect(await accountOf(due.token)).toMatchObject(account);
    expect(await accountOf(later.token)).toMatchObject({ waiting_days: [{ days: 30 }] });
    expect(await beginDays()).toBe(0);
    const events = await query(
      `select from outbox where name = 'account.changed' and payload ->> 'account_id' = $1`,
      due.payment.account_id,
    );
    expect(events.length).toBeGreaterThan(0);
  });

  test('waiting days begin once when the process dies halfway', async () => {
    const { token, payment } = await waiting();
    await endPeriod(payment.id);
    const dying = withTransaction(gateway.deps.db, async (tx) => {
      expect(await beginWaitingDays(tx, 100)).toBe(1);
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await accountOf(token)).toMatchObject({ days_remaining: 0, waiting_days: [{}] });
    expect(await beginDays()).toBe(1);
    expect(await accountOf(token)).toMatchObject({ days_remaining: 30, waiting_days: [] });
  });

  test('waiting days follow the days that the account has then', async () => {
    const { token, email, payment } = await waiting();
    await addDays(gateway.deps.db, { uid: await uidOf({ payment }), email }, 20);
    expect(await accountOf(token)).toMatchObject({ days_remaining: 20, waiting_days: [{}] });
    const { waiting_days } = await accountOf(token);
    // After the twenty days, not after the fourteen.
    expect(Date.parse(waiting_days[0].begins_at)).toBeGreaterThan(Date.now() + 19 * 86_400_000);
    await endPeriod(payment.id);
    await beginDays();
    expect(await accountOf(token)).toMatchObject({ days_remaining: 50, waiting_days: [] });
  });

  test('waiting days are one credit with one receipt, however often the payment is reported', async () => {
    await withdrawn();
    const email = uniqueEmail();
    const { body: intent } = await begin(email);
    const { payment_intent_id } = intent;
    await payWithCard(gateway, payment_intent_id);
    await sendPaymentSucceeded(gateway, payment_intent_id);
    await sendPaymentSucceeded(gateway, payment_intent_id);
    const events = await query(
      'select id from stripe_event where payment_intent_id = $1',
      payment_intent_id,
    );
    const process = (id: string) => processStripeEvent(gateway.deps, id, 0);
    await Promise.all([...events, ...events].map(({ id }) => process(id)));
    await confirm(email, payment_intent_id);
    const payment = (await findPaymentByIntent(gateway.deps.db, payment_intent_id))!;
    expect(await creditOf(payment.id)).toMatchObject({
      days: 30,
      begins_at: new Date(withdrawalDeadline(payment.settled_at!).getTime() + 1),
      service_expires_at: null,
      receipts: 1,
    });
  });

  test('a withdrawal before waiting days begin refunds them completely, and they never begin', async () => {
    const { token, payment } = await waiting();
    expect(await withdraw(token, payment.id)).toBe(149_00);
    expect(await accountOf(token)).toMatchObject({ days_remaining: 0, waiting_days: [] });
    await endPeriod(payment.id);
    expect(await beginDays()).toBe(0);
    expect(await creditOf(payment.id)).toMatchObject({
      days_taken_back: 30,
      service_expires_at: null,
    });
  });

  test('a partial refund reduces waiting days', async () => {
    const { token, payment } = await waiting();
    const actor = await createAdministrator(gateway.deps.db);
    const key = crypto.randomUUID();
    const order = { paymentId: payment.id, amountOre: 74_50, note: 'Halvt', key, actor };
    await makeRefund(gateway.deps, (await refundPayment(gateway.deps.db, order)).id);
    expect(await accountOf(token)).toMatchObject({ waiting_days: [{ days: 15 }] });
    await endPeriod(payment.id);
    await beginDays();
    expect(await accountOf(token)).toMatchObject({ days_remaining: 15, waiting_days: [] });
  });

  test('waiting days begin after a dispute that was open at their time and is won', async () => {
    const { token, payment } = await waiting();
    const dispute = (taken: number) =>
      query('update credit set days_taken_back = $2 where payment_id = $1', payment.id, taken);
    await dispute(30);
    await endPeriod(payment.id);
    expect(await beginDays()).toBe(0);
    await dispute(0);
    expect(await beginDays()).toBe(1);
    expect(await accountOf(token)).toMatchObject({ days_remaining: 30 });
  });

  test('waiting days of a deleted account do not block others', async () => {
    const gone = await waiting();
    await deleteUser(gateway.deps, await uidOf(gone), await createAdministrator(gateway.deps.db));
    const other = await register();
    for (const { payment } of [gone, other]) await endPeriod(payment.id);
    await beginDays();
    expect(await accountOf(other.token)).toMatchObject({ days_remaining: 30 });
  });
});

describe('a withdrawal', () => {
  test('a withdrawal is remembered for two years, and its hashes are deleted then', async () => {
    const { email } = await withdrawn();
    const forget = () => withTransaction(gateway.deps.db, forgetWithdrawals);
    const count = async () => (await query('select from withdrawal_mark')).length;
    const age = (interval: string) =>
      query('update withdrawal_mark set withdrawn_at = clock_timestamp() - $1::interval', interval);
    await age('2 years -1 hour');
    await forget();
    expect(await count()).toBe(2);
    expect((await register({ email })).body).toMatchObject({ waiting_days: [{ days: 30 }] });

    await age('2 years');
    expect((await register()).body).toMatchObject({ days_remaining: 30, waiting_days: [] });
    await forget();
    expect(await count()).toBe(0);
  });

  test('a remembered withdrawal contains neither the address nor the card', async () => {
    const { email, payment } = await withdrawn();
    const intent = await gateway.deps.stripe.paymentIntents.retrieve(payment.payment_intent_id!, {
      expand: ['latest_charge'],
    });
    const stored = JSON.stringify(await query('select * from withdrawal_mark'));
    expect(stored).not.toContain(email);
    const charge = intent.latest_charge;
    const card = typeof charge === 'object' ? charge?.payment_method_details?.card : null;
    expect(card?.fingerprint).toBeTruthy();
    expect(stored).not.toContain(card!.fingerprint!);
  });
});
