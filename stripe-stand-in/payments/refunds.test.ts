import type Stripe from 'stripe';
import { expect, test } from 'vitest';

import { eventTypes, failureOf, receiveWebhooks, startBoth } from '../test-support.ts';

const PAID = { amount: 14_900, currency: 'nok', confirm: true, payment_method: 'pm_card_visa' };

async function pay(stripe: Stripe) {
  const intent = await stripe.paymentIntents.create(PAID);
  return { intent: intent.id, charge: intent.latest_charge as string };
}

test('a payment is refunded in parts, up to its amount', async () => {
  const { stripe } = await startBoth();
  const { intent, charge } = await pay(stripe);
  const first = await stripe.refunds.create({
    payment_intent: intent,
    amount: 4900,
    reason: 'requested_by_customer',
    metadata: { why: 'ill' },
  });
  expect(first).toMatchObject({
    object: 'refund',
    amount: 4900,
    charge,
    payment_intent: intent,
    status: 'succeeded',
    reason: 'requested_by_customer',
    metadata: { why: 'ill' },
  });
  expect(await stripe.charges.retrieve(charge)).toMatchObject({
    amount_refunded: 4900,
    refunded: false,
  });

  const tooMuch = await failureOf(stripe.refunds.create({ charge, amount: 10_001 }));
  expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' });
  expect(tooMuch.message).toContain('greater than unrefunded amount on charge (100.00 nok)');

  expect((await stripe.refunds.create({ charge })).amount).toBe(10_000);
  expect(await stripe.charges.retrieve(charge)).toMatchObject({
    amount_refunded: 14_900,
    refunded: true,
    paid: true,
  });
  expect(await failureOf(stripe.refunds.create({ charge }))).toMatchObject({
    code: 'charge_already_refunded',
  });
  expect((await stripe.paymentIntents.retrieve(intent)).status).toBe('succeeded');
});

test('each refund can be listed and emits events, with the updated charge', async () => {
  const receiver = await receiveWebhooks(() => 200);
  const { stripe } = await startBoth({ webhookUrl: receiver.url });
  const { intent, charge } = await pay(stripe);
  await pay(stripe);
  const refund = await stripe.refunds.create({ charge, amount: 1000 });
  expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
  for (const params of [{ charge }, { payment_intent: intent }, {}]) {
    const { data } = await stripe.refunds.list(params);
    expect(data.map(({ id }) => id)).toEqual([refund.id]);
  }

  const delivered = await receiver.received(8);
  const eventOf = (type: string) => delivered.find(({ event }) => event.type === type)?.event.data;
  expect(eventOf('refund.created')).toMatchObject({ object: { id: refund.id, charge } });
  expect(eventOf('charge.refunded')).toMatchObject({
    object: { id: charge, amount_refunded: 1000 },
  });
});

test('30 concurrent refunds with one idempotency key create one refund', async () => {
  const { stripe } = await startBoth();
  const { charge } = await pay(stripe);
  const options = { idempotencyKey: 'refund-1' };
  const refunds = await Promise.all(
    Array.from({ length: 30 }, () => stripe.refunds.create({ charge, amount: 100 }, options)),
  );
  expect(new Set(refunds.map(({ id }) => id)).size).toBe(1);
  expect((await stripe.charges.retrieve(charge)).amount_refunded).toBe(100);
});

test('an unpaid payment cannot be refunded', async () => {
  const { stripe } = await startBoth();
  const unpaid = await stripe.paymentIntents.create({ amount: 14_900, currency: 'nok' });
  const declined = { payment_method: 'pm_card_chargeDeclined' };
  await failureOf(stripe.paymentIntents.confirm(unpaid.id, declined));
  const { data } = await stripe.charges.list();
  for (const [params, code] of [
    [{ payment_intent: unpaid.id }, 'payment_intent_unexpected_state'],
    [{ charge: data[0]!.id }, undefined],
    [{ charge: 'ch_none' }, 'resource_missing'],
    [{}, 'parameter_missing'],
  ] as const) {
    expect(await failureOf(stripe.refunds.create(params))).toMatchObject({ statusCode: 400, code });
  }
  expect(await eventTypes(stripe)).not.toContain('refund.created');
});
