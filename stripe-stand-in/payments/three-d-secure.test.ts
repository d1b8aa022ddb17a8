import type Stripe from 'stripe';
import { expect, test } from 'vitest';

import { eventTypes, failureOf, startBoth } from '../test-support.ts';

const ORDER = { amount: 14_900, currency: 'nok' };
const CARD = 'pm_card_authenticationRequired';

async function startWaiting(params: Stripe.PaymentIntentConfirmParams = {}) {
  const { stripe, control, url } = await startBoth();
  const { id } = await stripe.paymentIntents.create(ORDER);
  const intent = await stripe.paymentIntents.confirm(id, { payment_method: CARD, ...params });
  return { stripe, control, url, intent };
}

test('a card is charged when its holder has authenticated', async () => {
  const { stripe, control, intent } = await startWaiting();
  expect(intent).toMatchObject({
    status: 'requires_action',
    latest_charge: null,
    next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } },
  });
  expect((await stripe.charges.list()).data).toEqual([]);

  const paid = await control.authenticate(intent.id, 'complete');
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 14_900, next_action: null });
  const charge = await stripe.charges.retrieve(paid.latest_charge as string);
  expect(charge.payment_method_details?.card?.three_d_secure).toMatchObject({
    result: 'authenticated',
  });
  expect(await eventTypes(stripe)).toEqual([
    'payment_intent.created',
    'payment_intent.requires_action',
    'charge.succeeded',
    'payment_intent.succeeded',
  ]);
  await expect(control.authenticate(intent.id, 'complete')).rejects.toThrow('succeeded');
});

test('after a failed authentication, another card can pay', async () => {
  const { stripe, control, intent } = await startWaiting();
  const failed = await control.authenticate(intent.id, 'fail');
  expect(failed).toMatchObject({
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      payment_method: { card: { last4: '3155' } },
    },
  });
  expect(await eventTypes(stripe)).toContain('payment_intent.payment_failed');
  const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
});

test('an authenticated card can still be declined', async () => {
  const { control, intent } = await startWaiting({
    payment_method: 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
  });
  expect(await control.authenticate(intent.id, 'complete')).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { type: 'card_error', decline_code: 'insufficient_funds' },
  });
});

test.each([
  ['complete', 'succeeded', 'succeeded'],
  ['fail', 'failed', 'requires_payment_method'],
])('with a return_url the bank has a page: %s', async (outcome, redirectStatus, status) => {
  const { stripe, intent } = await startWaiting({ return_url: 'https://example.no/back?a=b' });
  expect(intent.next_action?.type).toBe('redirect_to_url');
  const address = String(intent.next_action?.redirect_to_url?.url);
  const page = await (await fetch(address)).text();
  expect(page).toContain('Complete authentication');

  const body = new URLSearchParams({ outcome });
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  expect(answer.status).toBe(303);
  const back = new URL(String(answer.headers.get('location')));
  expect(Object.fromEntries(back.searchParams)).toEqual({
    a: 'b',
    payment_intent: intent.id,
    payment_intent_client_secret: intent.client_secret,
    redirect_status: redirectStatus,
  });
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe(status);
  expect((await fetch(address)).status).toBe(400);
  expect((await fetch(address.replace('_secret_', '_secret_x'))).status).toBe(400);
});

test('Stripe.js gets an action that it handles itself, even with a return_url', async () => {
  const { intent } = await startWaiting({
    return_url: 'https://example.no/back',
    use_stripe_sdk: true,
  });
  expect(intent.next_action?.type).toBe('use_stripe_sdk');
});

test('a payment that waits for authentication can be cancelled, or confirmed with another card', async () => {
  const { stripe, intent } = await startWaiting();
  const again = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  expect(again).toMatchObject({ status: 'succeeded', next_action: null });

  const other = await startWaiting();
  const canceled = await other.stripe.paymentIntents.cancel(other.intent.id);
  expect(canceled).toMatchObject({ status: 'canceled', next_action: null });
});

test.each([
  ['succeed', 'succeeded', 'charge.succeeded'],
  ['fail', 'requires_payment_method', 'charge.failed'],
] as const)('a payment in processing can %s later', async (outcome, status, event) => {
  const { stripe, control } = await startBoth();
  const { id } = await stripe.paymentIntents.create(ORDER);
  const params = { payment_method: 'pm_card_processing', expand: ['latest_charge'] };
  const intent = await stripe.paymentIntents.confirm(id, params);
  expect(intent).toMatchObject({ status: 'processing', latest_charge: { status: 'pending' } });
  for (const call of [
    stripe.paymentIntents.cancel(id),
    stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
  ]) {
    expect(await failureOf(call)).toMatchObject({ code: 'payment_intent_unexpected_state' });
  }

  expect(await control.settle(id, outcome)).toMatchObject({ status });
  const { data } = await stripe.charges.list({ payment_intent: id });
  expect(data.map((charge) => charge.paid)).toEqual([outcome === 'succeed']);
  expect(await eventTypes(stripe)).toEqual([
    'payment_intent.created',
    'charge.pending',
    'payment_intent.processing',
    event,
    outcome === 'succeed' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed',
  ]);
  await expect(control.settle(id, outcome)).rejects.toThrow('not in processing');
});
