import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';

import { failureOf, startForTest, stripeAt } from '../test-support.ts';

const ORDER = {
  amount: 14_900,
  currency: 'nok',
  allowed_payment_method_types: ['card'],
  metadata: { order_id: '7', note: 'æøå & [x]=1' },
  receipt_email: 'kari@example.no',
  description: 'Prøveklar',
} satisfies Stripe.PaymentIntentCreateParams;

async function start(): Promise<Stripe> {
  return stripeAt((await startForTest()).url);
}

describe('create', () => {
  test('returns an intent that requires a payment method and can be retrieved', async () => {
    const stripe = await start();
    const intent = await stripe.paymentIntents.create(ORDER);
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 14_900,
      currency: 'nok',
      status: 'requires_payment_method',
      metadata: ORDER.metadata,
      allowed_payment_method_types: ['card'],
      payment_method_types: ['card'],
      receipt_email: 'kari@example.no',
      livemode: false,
      latest_charge: null,
    });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{25}$`));
    expect(intent.lastResponse.requestId).toMatch(/^req_/);
    expect(intent.lastResponse.apiVersion).toBe('2026-10-28.endive');
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
  });

  test.each([
    [{ ...ORDER, amount: 299 }, 'amount_too_small', 'amount'],
    [{ ...ORDER, amount: 14.5 }, 'parameter_invalid_integer', 'amount'],
    [{ currency: 'nok' }, 'parameter_missing', 'amount'],
    [{ ...ORDER, colour: 'red' }, 'parameter_unknown', 'colour'],
    [
      { amount: 300, currency: 'nok', payment_method_types: ['card'] },
      'payment_method_types_no_longer_supported',
      'payment_method_types',
    ],
  ])('refuses %j with %s', async (params, code, param) => {
    const stripe = await start();
    const call = stripe.paymentIntents.create(params as Stripe.PaymentIntentCreateParams);
    expect(await failureOf(call)).toMatchObject({
      type: 'StripeInvalidRequestError',
      rawType: 'invalid_request_error',
      statusCode: 400,
      code,
      param,
    });
  });

  test('accepts exactly 3 kroner', async () => {
    const stripe = await start();
    expect((await stripe.paymentIntents.create({ ...ORDER, amount: 300 })).amount).toBe(300);
  });
});

describe('confirm', () => {
  test('charges a valid card and links to the charge', async () => {
    const stripe = await start();
    const { id } = await stripe.paymentIntents.create(ORDER);
    const paid = await stripe.paymentIntents.confirm(id, {
      payment_method: 'pm_card_visa',
      expand: ['latest_charge'],
    });
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 14_900 });
    expect(paid.latest_charge).toMatchObject({ object: 'charge', paid: true, payment_intent: id });

    const { latest_charge } = await stripe.paymentIntents.retrieve(id);
    const charge = await stripe.charges.retrieve(latest_charge as string);
    expect(charge).toMatchObject({ amount: 14_900, status: 'succeeded', metadata: ORDER.metadata });
    expect(charge.payment_method_details?.card).toMatchObject({ brand: 'visa', last4: '4242' });
  });

  test('responds to a declined card with 402 and the intent, which can be confirmed again', async () => {
    const stripe = await start();
    const { id } = await stripe.paymentIntents.create(ORDER);
    const error = await failureOf(
      stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }),
    );
    expect(error).toMatchObject({
      type: 'StripeCardError',
      rawType: 'card_error',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
      payment_intent: {
        id,
        status: 'requires_payment_method',
        last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
      },
    });
    const failed = await stripe.paymentIntents.retrieve(id);
    expect(failed.status).toBe('requires_payment_method');
    expect(failed.last_payment_error?.message).toBe('Your card was declined.');

    const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
    expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });

  test('rejects an intent that has succeeded', async () => {
    const stripe = await start();
    const intent = await stripe.paymentIntents.create({
      ...ORDER,
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    const again = stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    expect(await failureOf(again)).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: intent.id, status: 'succeeded' },
    });
  });

  test('rejects a missing or unknown payment method', async () => {
    const stripe = await start();
    const { id } = await stripe.paymentIntents.create(ORDER);
    expect(
      await failureOf(stripe.paymentIntents.confirm(id, { payment_method: 'pm_none' })),
    ).toMatchObject({ code: 'resource_missing', param: 'payment_method' });
    expect(await failureOf(stripe.paymentIntents.confirm(id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });
});

describe('cancel', () => {
  test('cancels an unpaid intent and rejects a paid one', async () => {
    const stripe = await start();
    const { id } = await stripe.paymentIntents.create(ORDER);
    const canceled = await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    expect(
      await failureOf(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })),
    ).toMatchObject({ code: 'payment_intent_unexpected_state' });

    const paid = await stripe.paymentIntents.create({
      ...ORDER,
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    expect(await failureOf(stripe.paymentIntents.cancel(paid.id))).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
    });
  });
});

describe('list', () => {
  test('pages newest first', async () => {
    const stripe = await start();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.unshift((await stripe.paymentIntents.create(ORDER)).id);

    const first = await stripe.paymentIntents.list({ limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.has_more).toBe(true);
    const next = await stripe.paymentIntents.list({ limit: 3, starting_after: ids[1] });
    expect(next.data.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(next.has_more).toBe(false);
    const back = await stripe.paymentIntents.list({ limit: 2, ending_before: ids[3] });
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(1, 3));

    const all = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(ids);
    const future = Math.floor(Date.now() / 1000) + 60;
    expect((await stripe.paymentIntents.list({ created: { gte: future } })).data).toEqual([]);
  });
});

describe('unknown objects and calls', () => {
  test('get errors in the shape of Stripe', async () => {
    const { url } = await startForTest();
    const missing = stripeAt(url).paymentIntents.retrieve('pi_none');
    expect(await failureOf(missing)).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such payment_intent: 'pi_none'",
    });
    const nowhere = await fetch(`${url}/v1/nowhere`);
    expect(nowhere.status).toBe(404);
    expect(await nowhere.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });
});
