import { afterEach, describe, expect, test } from 'vitest';
import { readAccount } from '#accounts/account.ts';
import { withTransaction } from '#database/pool.ts';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';
import { confirmPayment } from './confirm-payment.ts';
import { createExtensionIntent } from './create-intent.ts';
import { findRefund, makeRefund, type Refund, requestRefund } from './refund.ts';
import { findPaymentByIntent, type Payment } from './payment.ts';
import { syncPayment } from './books/sync-payment.ts';

const gateway = useTestGateway();
const language = 'no';
afterEach(() => stripeControl(gateway).removeFaults());

/** A payment of 149 kr for 30 days, and whose it is. */
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

function ask(paymentId: string, amountOre: number | null): Promise<Refund> {
  return withTransaction(gateway.deps.db, (tx) =>
    requestRefund(tx, {
      paymentId,
      amountOre,
      reason: 'administrator',
      requestedBy: 'admin@example.no',
    }),
  );
}

const refundsAtStripe = async (intentId: string) =>
  (await gateway.deps.stripe.refunds.list({ payment_intent: intentId })).data;

const chargeOf = async (intentId: string) =>
  (await gateway.deps.stripe.charges.list({ payment_intent: intentId })).data[0]!.id;

describe('a refund', () => {
  test('takes back its share of the days, rounded down, and the rest with the rest', async () => {
    const { payment, accountId } = await bought();
    const part = await ask(payment.id, 50_00);
    expect(await makeRefund(gateway.deps, part.id)).toMatchObject({ state: 'succeeded' });
    // 30 × 5000 / 14900 = 10.07
    expect(await daysLeft(accountId)).toBe(20);
    const rest = await ask(payment.id, null);
    expect(rest.amount_ore).toBe(99_00);
    await makeRefund(gateway.deps, rest.id);
    expect(await daysLeft(accountId)).toBe(0);
  });

  test('beyond the hundredth counts', async () => {
    const { payment, intentId } = await bought();
    const { stripe } = gateway.deps;
    const part = { payment_intent: intentId, amount: 1_00 };
    await Promise.all(Array.from({ length: 101 }, () => stripe.refunds.create(part)));
    expect(await syncPayment(gateway.deps, intentId)).toMatchObject({ refunded_ore: 101_00 });
    await expect(ask(payment.id, 49_00)).rejects.toMatchObject({ code: 'refund_too_large' });
    expect(await ask(payment.id, null)).toMatchObject({ amount_ore: 48_00 });
  });

  test('made twice, and by a worker that died before it heard the answer, is one', async () => {
    const { payment, intentId } = await bought();
    const { id } = await ask(payment.id, 10_00);
    // The answer is lost each time that the SDK tries.
    await stripeControl(gateway).addFault({ kind: 'drop', call: 'POST /v1/refunds', times: 4 });
    await expect(makeRefund(gateway.deps, id)).rejects.toThrow('payment provider');
    await Promise.all([makeRefund(gateway.deps, id), makeRefund(gateway.deps, id)]);
    expect(await refundsAtStripe(intentId)).toHaveLength(1);
    expect(await findRefund(gateway.deps.db, id)).toMatchObject({ state: 'succeeded' });
  });

  test('that Stripe failed at inside is made on another try', async () => {
    const { payment, intentId } = await bought();
    const { id } = await ask(payment.id, 10_00);
    await stripeControl(gateway).addFault({
      kind: 'error',
      call: 'POST /v1/refunds',
      stored: true,
    });
    await expect(makeRefund(gateway.deps, id)).rejects.toThrow('payment provider');
    await makeRefund(gateway.deps, id);
    expect(await refundsAtStripe(intentId)).toHaveLength(1);
  });

  test('is never more than is left, however many ask at once', async () => {
    const { payment, intentId } = await bought();
    const asked = await Promise.allSettled(
      Array.from({ length: 10 }, () => ask(payment.id, 50_00)),
    );
    const refunds = asked.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
    expect(refunds).toHaveLength(2);
    const refused = asked.find((it) => it.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'refund_too_large',
      details: { left_ore: 49_00 },
    });
    for (const { id } of refunds) await makeRefund(gateway.deps, id);
    await expect(ask(payment.id, 49_01)).rejects.toMatchObject({ code: 'refund_too_large' });
    expect(await refundsAtStripe(intentId)).toHaveLength(2);
  });

  test('of what was never paid is refused', async () => {
    const email = uniqueEmail();
    const id = await addDays(gateway.deps.db, { uid: email, email }, 0);
    const intent = await createExtensionIntent(gateway.deps, { id, email, language: 'no' });
    const payment = await findPaymentByIntent(gateway.deps.db, intent.payment_intent_id!);
    await expect(ask(payment!.id, null)).rejects.toMatchObject({ code: 'payment_not_refundable' });
  });

  test('that Stripe refuses is noted for the administrator', async () => {
    const { payment, intentId } = await bought();
    const { id } = await ask(payment.id, null);
    // Somebody was faster, at Stripe itself.
    await gateway.deps.stripe.refunds.create({ payment_intent: intentId });
    expect(await makeRefund(gateway.deps, id)).toMatchObject({
      state: 'failed',
      failure: 'charge_already_refunded',
    });
    expect(await findPaymentByIntent(gateway.deps.db, intentId)).toMatchObject({
      refunded_ore: 149_00,
    });
  });

  test('made at Stripe takes days back too', async () => {
    const { accountId, intentId } = await bought();
    await gateway.deps.stripe.refunds.create({ payment_intent: intentId, amount: 149_00 });
    await syncPayment(gateway.deps, intentId);
    expect(await daysLeft(accountId)).toBe(0);
  });
});

test('of another amount than asked for leaves the account free to pay anew', async () => {
  const { deps } = gateway;
  await setPrice(deps.db, 149_00);
  const email = uniqueEmail();
  const account = {
    id: await addDays(deps.db, { uid: email, email }, 0),
    email,
    language,
  } as const;
  const begun = await createExtensionIntent(deps, account);
  const intentId = begun.payment_intent_id!;
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
  test('takes all days while it is open, and gives them again when it is won', async () => {
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

  test('that is lost keeps them', async () => {
    const { accountId, intentId, payment } = await bought();
    await stripeControl(gateway).dispute(await chargeOf(intentId));
    const { data } = await gateway.deps.stripe.disputes.list({ payment_intent: intentId });
    await gateway.deps.stripe.disputes.close(data[0]!.id);
    await syncPayment(gateway.deps, intentId);
    expect(await daysLeft(accountId)).toBe(0);
    await expect(ask(payment.id, null)).rejects.toMatchObject({ code: 'payment_not_refundable' });
  });
});

test('of two payments, refunding the first lets the second begin earlier', async () => {
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
  const { id } = await ask(payment.id, null);
  await makeRefund(gateway.deps, id);
  expect(await daysLeft(accountId)).toBe(30);
});

test('an older reading of Stripe never overwrites a newer one', async () => {
  const { accountId, intentId } = await bought();
  const { deps } = gateway;
  const { stripe } = deps;
  // This one reads before the refund and is held up until the other has written.
  let letGo = () => {};
  let hasRead = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const read = new Promise<void>((resolve) => (hasRead = resolve));
  const slow = syncPayment(
    {
      ...deps,
      stripe: {
        charges: stripe.charges,
        disputes: stripe.disputes,
        events: stripe.events,
        paymentIntents: stripe.paymentIntents,
        refunds: {
          list: async (query: object) => {
            const answer = await stripe.refunds.list(query);
            hasRead();
            await held;
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
  letGo();
  expect(await slow).toMatchObject({ refunded_ore: 149_00 });
  expect(await daysLeft(accountId)).toBe(0);
});
