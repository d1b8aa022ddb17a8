import { afterEach, describe, expect, test } from 'vitest';
import { readAccount } from '#accounts/account.ts';
import { withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';
import { confirmPayment } from './confirm-payment.ts';
import { createExtensionIntent, createRegistrationIntent } from './create-intent.ts';
import { findRefund, makeRefund, type Refund, requestRefund } from './refund.ts';
import { findPaymentByIntent, type Payment } from './payment.ts';
import { syncPayment } from './books/sync-payment.ts';

const gateway = useTestGateway();
const language = 'no';
afterEach(() => stripeControl(gateway).removeFaults());

/** Makes a payment of 149 kr for 30 days. */
async function bought(): Promise<{ payment: Payment; accountId: string; intentId: string }> {
  const { deps } = gateway;
  await setPrice(deps.db, 149_00);
  const email = uniqueEmail();
  const accountId = await addDays(deps.db, { uid: email, email }, 0);
  const intent = await createExtensionIntent(deps, { id: accountId, email, language: 'no' });
  const intentId = intent.payment_intent_id!;
  await payWithCard(gateway, intentId);
  await confirmPayment(deps, intentId);
  const payment = (await findPaymentByIntent(deps.db, intentId))!;
  return { payment, accountId, intentId };
}

const daysLeft = async (accountId: string) =>
  (await readAccount(gateway.deps.db, accountId)).days_remaining;

function request(paymentId: string, amountOre: number | null): Promise<Refund> {
  return withTransaction(gateway.deps.db, (tx) =>
    requestRefund(tx, {
      paymentId,
      amountOre,
      reason: 'administrator',
      requestedBy: 'admin@example.no',
    }),
  );
}

const refundsAtStripe = (intentId: string) =>
  Array.fromAsync(gateway.deps.stripe.refunds.list({ payment_intent: intentId, limit: 100 }));

const chargeOf = async (intentId: string) =>
  (await gateway.deps.stripe.charges.list({ payment_intent: intentId })).data[0]!.id;

describe('a refund', () => {
  test('of a part takes back its share of the days, rounded down', async () => {
    const { payment, accountId } = await bought();
    const part = await request(payment.id, 50_00);
    expect(await makeRefund(gateway.deps, part.id)).toMatchObject({ state: 'succeeded' });
    // 30 × 5000 / 14900 = 10.07
    expect(await daysLeft(accountId)).toBe(20);
    const rest = await request(payment.id, null);
    expect(rest.amount_ore).toBe(99_00);
    await makeRefund(gateway.deps, rest.id);
    expect(await daysLeft(accountId)).toBe(0);
  });

  test('of a registration whose address was refused is made, and is not tried again', async () => {
    const { deps } = gateway;
    await setPrice(deps.db, 149_00);
    const registration = { email: uniqueEmail(), username: 'Ny' };
    const intent = await createRegistrationIntent(deps, registration);
    const intentId = intent.payment_intent_id!;
    await payWithCard(gateway, intentId);
    const createUser = () => Promise.reject(new AppError('email_refused'));
    const refusing = { ...deps, identity: { ...deps.identity, createUser } };
    await expect(syncPayment(refusing, intentId)).rejects.toMatchObject({ code: 'email_refused' });
    const { id } = (await findPaymentByIntent(deps.db, intentId))!;
    const refund = await request(id, null);
    expect(await makeRefund(refusing, refund.id)).toMatchObject({ state: 'succeeded' });
    expect(await refundsAtStripe(intentId)).toHaveLength(1);
  });

  test('counts beyond the first page of 100 at Stripe', async () => {
    const { payment, intentId } = await bought();
    const { stripe } = gateway.deps;
    const part = { payment_intent: intentId, amount: 1_00 };
    await Promise.all(Array.from({ length: 101 }, () => stripe.refunds.create(part)));
    expect(await syncPayment(gateway.deps, intentId)).toMatchObject({ refunded_ore: 101_00 });
    await expect(request(payment.id, 49_00)).rejects.toMatchObject({ code: 'refund_too_large' });
    expect(await request(payment.id, null)).toMatchObject({ amount_ore: 48_00 });
  });

  test('is created once by two workers and after a lost answer', async () => {
    const { payment, intentId } = await bought();
    const { id } = await request(payment.id, 10_00);
    // The answer is lost in every attempt of the SDK.
    await stripeControl(gateway).addFault({ kind: 'drop', call: 'POST /v1/refunds', times: 4 });
    await expect(makeRefund(gateway.deps, id)).rejects.toThrow('payment provider');
    await Promise.all([makeRefund(gateway.deps, id), makeRefund(gateway.deps, id)]);
    expect(await refundsAtStripe(intentId)).toHaveLength(1);
    expect(await findRefund(gateway.deps.db, id)).toMatchObject({ state: 'succeeded' });
  });

  test('that Stripe lists after 100 newer ones is not created again', async () => {
    const { payment, intentId } = await bought();
    const { id } = await request(payment.id, 10_00);
    const { refunds } = gateway.deps.stripe;
    const made = { payment_intent: intentId, amount: 10_00, metadata: { refund_id: id } };
    await refunds.create(made);
    const newer = { payment_intent: intentId, amount: 1_00 };
    await Promise.all(Array.from({ length: 100 }, () => refunds.create(newer)));
    expect(await makeRefund(gateway.deps, id)).toMatchObject({ state: 'succeeded' });
    expect(await refundsAtStripe(intentId)).toHaveLength(101);
  });

  test('is created by a retry after an internal error of Stripe', async () => {
    const { payment, intentId } = await bought();
    const { id } = await request(payment.id, 10_00);
    await stripeControl(gateway).addFault({
      kind: 'error',
      call: 'POST /v1/refunds',
      stored: true,
    });
    await expect(makeRefund(gateway.deps, id)).rejects.toThrow('payment provider');
    await makeRefund(gateway.deps, id);
    expect(await refundsAtStripe(intentId)).toHaveLength(1);
  });

  test('never exceeds the refundable amount under ten concurrent requests', async () => {
    const { payment, intentId } = await bought();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => request(payment.id, 50_00)),
    );
    const refunds = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    expect(refunds).toHaveLength(2);
    const rejected = results.find((result) => result.status === 'rejected');
    expect(rejected?.reason).toMatchObject({
      code: 'refund_too_large',
      details: { left_ore: 49_00 },
    });
    for (const { id } of refunds) await makeRefund(gateway.deps, id);
    await expect(request(payment.id, 49_01)).rejects.toMatchObject({ code: 'refund_too_large' });
    expect(await refundsAtStripe(intentId)).toHaveLength(2);
  });

  test('of an unpaid payment is rejected', async () => {
    const email = uniqueEmail();
    const id = await addDays(gateway.deps.db, { uid: email, email }, 0);
    const intent = await createExtensionIntent(gateway.deps, { id, email, language: 'no' });
    const payment = await findPaymentByIntent(gateway.deps.db, intent.payment_intent_id!);
    await expect(request(payment!.id, null)).rejects.toMatchObject({
      code: 'payment_not_refundable',
    });
  });

  test('that Stripe rejects is recorded for the administrator', async () => {
    const { payment, intentId } = await bought();
    const { id } = await request(payment.id, null);
    // An earlier refund in Stripe's dashboard.
    await gateway.deps.stripe.refunds.create({ payment_intent: intentId });
    expect(await makeRefund(gateway.deps, id)).toMatchObject({
      state: 'failed',
      failure: 'charge_already_refunded',
    });
    expect(await findPaymentByIntent(gateway.deps.db, intentId)).toMatchObject({
      refunded_ore: 149_00,
    });
  });

  test('made in the Stripe dashboard takes days back too', async () => {
    const { accountId, intentId } = await bought();
    await gateway.deps.stripe.refunds.create({ payment_intent: intentId, amount: 149_00 });
    await syncPayment(gateway.deps, intentId);
    expect(await daysLeft(accountId)).toBe(0);
  });
});

test('a payment of a wrong amount, once refunded, lets the account pay again', async () => {
  const { deps } = gateway;
  await setPrice(deps.db, 149_00);
  const email = uniqueEmail();
  const account = {
    id: await addDays(deps.db, { uid: email, email }, 0),
    email,
    language,
  } as const;
  const intent = await createExtensionIntent(deps, account);
  const intentId = intent.payment_intent_id!;
  await deps.db.query(
    'update payment set amount_ore = amount_ore + 1 where payment_intent_id = $1',
    [intentId],
  );
  await payWithCard(gateway, intentId);
  expect(await syncPayment(deps, intentId)).toMatchObject({ state: 'open', attention: 'mismatch' });
  await deps.stripe.refunds.create({ payment_intent: intentId });
  expect(await syncPayment(deps, intentId)).toMatchObject({ state: 'cancelled', attention: null });
  expect((await createExtensionIntent(deps, account)).payment_intent_id).not.toBe(intentId);
});

describe('a dispute', () => {
  test('takes all days back while it is open, and restores them when it is won', async () => {
    const { accountId, intentId } = await bought();
    await stripeControl(gateway).dispute(await chargeOf(intentId));
    expect(await syncPayment(gateway.deps, intentId)).toMatchObject({
      dispute: 'open',
      attention: 'disputed',
    });
    expect(await daysLeft(accountId)).toBe(0);
    const { data } = await gateway.deps.stripe.disputes.list({ payment_intent: intentId });
    await gateway.deps.stripe.disputes.update(data[0]!.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    });
    expect(await syncPayment(gateway.deps, intentId)).toMatchObject({
      dispute: 'won',
      attention: null,
    });
    expect(await daysLeft(accountId)).toBe(30);
  });

  test('that is lost takes the days back for good', async () => {
    const { accountId, intentId, payment } = await bought();
    await stripeControl(gateway).dispute(await chargeOf(intentId));
    const { data } = await gateway.deps.stripe.disputes.list({ payment_intent: intentId });
    await gateway.deps.stripe.disputes.close(data[0]!.id);
    await syncPayment(gateway.deps, intentId);
    expect(await daysLeft(accountId)).toBe(0);
    await expect(request(payment.id, null)).rejects.toMatchObject({
      code: 'payment_not_refundable',
    });
  });
});

test('refunding the first of two payments moves the start of the second forward', async () => {
  const { payment, accountId } = await bought();
  const { email } = await readAccount(gateway.deps.db, accountId);
  const intent = await createExtensionIntent(gateway.deps, {
    id: accountId,
    email,
    language: 'no',
  });
  await payWithCard(gateway, intent.payment_intent_id!);
  await confirmPayment(gateway.deps, intent.payment_intent_id!);
  expect(await daysLeft(accountId)).toBe(60);
  const { id } = await request(payment.id, null);
  await makeRefund(gateway.deps, id);
  expect(await daysLeft(accountId)).toBe(30);
});

test('an older read of Stripe never overwrites a newer one', async () => {
  const { accountId, intentId } = await bought();
  const { deps } = gateway;
  const { stripe } = deps;
  // Reads before the refund and is blocked until the other call has written.
  let release = () => {};
  let hasRead = () => {};
  const blocked = new Promise<void>((resolve) => (release = resolve));
  const read = new Promise<void>((resolve) => (hasRead = resolve));
  const slow = syncPayment(
    {
      ...deps,
      stripe: {
        balanceTransactions: stripe.balanceTransactions,
        charges: stripe.charges,
        disputes: stripe.disputes,
        events: stripe.events,
        paymentIntents: stripe.paymentIntents,
        refunds: {
          list: async (query: object) => {
            const answer = await stripe.refunds.list(query);
            hasRead();
            await blocked;
            return answer;
          },
        } as unknown as typeof stripe.refunds,
      },
    },
    intentId,
  );
  await read;
  await stripe.refunds.create({ payment_intent: intentId });
  await syncPayment(deps, intentId);
  release();
  expect(await slow).toMatchObject({ refunded_ore: 149_00 });
  expect(await daysLeft(accountId)).toBe(0);
});
