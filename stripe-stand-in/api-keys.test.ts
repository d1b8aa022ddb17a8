import { expect, test } from 'vitest';

import { failureOf, startForTest, stripeAt } from './test-support.ts';

const ORDER = { amount: 14_900, currency: 'nok', metadata: { order_id: '7' } };

test('any secret test key is accepted, and no other key', async () => {
  const { url } = await startForTest();
  const live = ['sk', 'live', 'abcdefghijklmnop'].join('_');
  for (const key of [live, 'rubbish']) {
    const error = await failureOf(stripeAt(url, key).paymentIntents.list());
    expect(error).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
    expect(error.message).not.toContain('abcdefgh');
  }
  expect(await failureOf(stripeAt(url, 'pk_test_x').paymentIntents.list())).toMatchObject({
    statusCode: 401,
    code: 'secret_key_required',
  });
  expect((await fetch(`${url}/v1/payment_intents`)).status).toBe(401);
});

test('a publishable key with the client secret sees a part of an intent', async () => {
  const { url } = await startForTest();
  const intent = await stripeAt(url).paymentIntents.create(ORDER);
  const address = `${url}/v1/payment_intents/${intent.id}?key=pk_test_x`;
  const answer = await fetch(`${address}&client_secret=${String(intent.client_secret)}`);
  const seen: unknown = await answer.json();
  expect(seen).toMatchObject({ id: intent.id, status: intent.status });
  expect(seen).not.toHaveProperty('metadata');
  expect((await fetch(`${address}&client_secret=wrong`)).status).toBe(400);
  expect((await fetch(address)).status).toBe(400);
});
