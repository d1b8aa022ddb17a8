import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type Stripe from 'stripe';
import { expect, test } from 'vitest';

import { startForTest, stripeAt, temporaryDir } from '../test-support.ts';

const ORDER = { amount: 14_900, currency: 'nok' };

test.each([
  ['4000000000009995', { code: 'card_declined', decline_code: 'insufficient_funds' }],
  ['4000000000000069', { code: 'expired_card' }],
  ['4242424242424241', { code: 'incorrect_number', param: 'number' }],
  ['4111111111111111', { code: 'card_declined', decline_code: 'test_mode_live_card' }],
])('%s is refused', async (number, expected) => {
  const { url } = await startForTest();
  const intent = await stripeAt(url).paymentIntents.create(ORDER);
  const answer = await confirmInBrowser(url, intent, number);
  expect(answer.status).toBe(402);
  expect(await answer.json()).toMatchObject({ error: { type: 'card_error', ...expected } });
});

test('card numbers and security codes are not stored', async () => {
  const dataDir = temporaryDir();
  const { url } = await startForTest({ dataDir });
  for (const number of ['4242424242424242', '4000000000000002']) {
    const intent = await stripeAt(url).paymentIntents.create(ORDER);
    await confirmInBrowser(url, intent, number);
  }
  const journal = readFileSync(join(dataDir, 'stripe.jsonl'), 'utf8');
  expect(journal).toContain('"last4":"4242"');
  expect(journal).not.toMatch(/4242424242424242|4000000000000002|"?cvc"?[=:] ?"?987/);
});

function confirmInBrowser(url: string, intent: Stripe.PaymentIntent, number: string) {
  return fetch(`${url}/v1/payment_intents/${intent.id}/confirm`, {
    method: 'POST',
    headers: { 'idempotency-key': `try-${intent.id}` },
    body: new URLSearchParams({
      key: 'pk_test_x',
      client_secret: String(intent.client_secret),
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '40',
      'payment_method_data[card][cvc]': '987',
    }),
  });
}

test('a card has the same fingerprint in every payment, and another card has another one', async () => {
  const { url } = await startForTest();
  const stripe = stripeAt(url);
  const fingerprintOf = async (number: string) => {
    const intent = await stripe.paymentIntents.create(ORDER);
    await confirmInBrowser(url, intent, number);
    const { latest_charge } = await stripe.paymentIntents.retrieve(intent.id, {
      expand: ['latest_charge'],
    });
    return (latest_charge as Stripe.Charge).payment_method_details!.card!.fingerprint;
  };
  const first = await fingerprintOf('4242424242424242');
  expect(first).toMatch(/^[\w-]{16}$/);
  expect(await fingerprintOf('4242424242424242')).toBe(first);
  expect(await fingerprintOf('4000056655665556')).not.toBe(first);
});
