import { expect, test } from 'vitest';

import { failureOf, startBoth, startForTest, stripeAt } from '../test-support.ts';
import { controlAt } from './client.ts';
import type { FaultOrder } from './faults.ts';

const ORDER = { amount: 14_900, currency: 'nok' };
const CREATE = 'POST /v1/payment_intents';

test('only the next calls of a kind fail, and each is counted', async () => {
  const { stripe, control } = await startBoth();
  const { id } = await control.addFault({ kind: 'error', call: CREATE, skip: 1, times: 2 });
  await stripe.paymentIntents.create(ORDER);
  for (let i = 0; i < 2; i += 1) {
    expect(await failureOf(stripe.paymentIntents.create(ORDER))).toMatchObject({
      type: 'StripeAPIError',
      statusCode: 500,
    });
  }
  await stripe.paymentIntents.create(ORDER);
  expect((await stripe.paymentIntents.list()).data).toHaveLength(2);
  expect(await control.findFault(id)).toMatchObject({ hits: 2, left: 0 });
  expect(await control.removeFaults()).toMatchObject({ data: [{ id }] });
  expect(await control.removeFaults()).toEqual({ data: [] });
});

test('a rate limit fault responds as Stripe does', async () => {
  const { stripe, control } = await startBoth();
  await control.addFault({ kind: 'error', call: 'GET *', status: 429 });
  expect(await failureOf(stripe.charges.list())).toMatchObject({
    type: 'StripeRateLimitError',
    code: 'rate_limit',
  });
});

test('a 503 that is not stored is retried successfully with the same idempotency key', async () => {
  const { stripe, control } = await startBoth();
  await control.addFault({ kind: 'error', call: '*', status: 503 });
  const options = { idempotencyKey: 'order-1', maxNetworkRetries: 1 };
  const intent = await stripe.paymentIntents.create(ORDER, options);
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([intent.id]);
});

test.each([
  ['before', 0],
  ['after', 1],
] as const)('a 500 can be remembered under the key, %s the work', async (when, made) => {
  const { stripe, control } = await startBoth();
  await control.addFault({ kind: 'error', call: CREATE, stored: true, when });
  const options = { idempotencyKey: 'order-1' };
  const first = await failureOf(stripe.paymentIntents.create(ORDER, options));
  const second = await failureOf(stripe.paymentIntents.create(ORDER, options));
  expect(second).toMatchObject({ statusCode: 500, message: first.message });
  expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' });
  expect((await stripe.paymentIntents.list()).data).toHaveLength(made);
});

test('after a 500 that is not stored, the idempotency key returns the real response', async () => {
  const { stripe, control } = await startBoth();
  await control.addFault({ kind: 'error', call: CREATE, when: 'after' });
  const options = { idempotencyKey: 'order-1' };
  expect(await failureOf(stripe.paymentIntents.create(ORDER, options))).toBeDefined();
  const intent = await stripe.paymentIntents.create(ORDER, options);
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([intent.id]);
});

test.each([
  ['after', 1],
  ['before', 0],
] as const)('the connection drops, %s the work', async (when, made) => {
  const { stripe, control } = await startBoth();
  // The SDK retries once after a dropped connection, whatever its settings.
  await control.addFault({ kind: 'drop', call: CREATE, when, times: 2 });
  const options = { idempotencyKey: 'order-1' };
  expect(await failureOf(stripe.paymentIntents.create(ORDER, options))).toMatchObject({
    type: 'StripeConnectionError',
  });
  expect((await stripe.paymentIntents.list()).data).toHaveLength(made);
  await stripe.paymentIntents.create(ORDER, options);
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('while a call hangs, its idempotency key is in use; when released, it runs and responds', async () => {
  const { stripe, control } = await startBoth();
  const { id } = await control.addFault({ kind: 'hang', call: CREATE });
  const options = { idempotencyKey: 'order-1', timeout: 60_000 };
  const hanging = stripe.paymentIntents.create(ORDER, options);
  await expect.poll(() => control.findFault(id)).toMatchObject({ hits: 1 });
  expect(await failureOf(stripe.paymentIntents.create(ORDER, options))).toMatchObject({
    statusCode: 409,
    code: 'idempotency_key_in_use',
  });
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
  await control.removeFault(id);
  const intent = await hanging;
  expect((await stripe.paymentIntents.create(ORDER, options)).id).toBe(intent.id);
});

test('a hanging call runs when it is released, even after its client has left', async () => {
  const { stripe, control } = await startBoth();
  const { id } = await control.addFault({ kind: 'hang', call: CREATE });
  const options = { idempotencyKey: 'order-1', timeout: 100 };
  expect(await failureOf(stripe.paymentIntents.create(ORDER, options))).toMatchObject({
    type: 'StripeConnectionError',
  });
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
  await control.removeFault(id);
  await expect.poll(async () => (await stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('a call can run and then hang, so that its client times out without the result', async () => {
  const { stripe, control } = await startBoth();
  const { id } = await control.addFault({ kind: 'hang', call: CREATE, when: 'after' });
  const options = { idempotencyKey: 'order-1', timeout: 100 };
  expect(await failureOf(stripe.paymentIntents.create(ORDER, options))).toMatchObject({
    type: 'StripeConnectionError',
  });
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
  await control.removeFault(id);
  expect((await stripe.paymentIntents.create(ORDER, options)).object).toBe('payment_intent');
});

test('a hanging call can have a time limit, and never blocks the stop of the stand-in', async () => {
  const standIn = await startForTest();
  const control = controlAt(standIn.url);
  const stripe = stripeAt(standIn.url);
  await control.addFault({ kind: 'hang', call: CREATE, milliseconds: 1 });
  expect((await stripe.paymentIntents.create(ORDER)).object).toBe('payment_intent');
  const { id } = await control.addFault({ kind: 'hang', call: '*', times: 2 });
  const hanging = failureOf(stripe.paymentIntents.list());
  await expect.poll(() => control.findFault(id)).toMatchObject({ hits: 1, left: 1 });
  await standIn.close();
  expect(await hanging).toMatchObject({ type: 'StripeConnectionError' });
});

test.each([
  [{ kind: 'error', call: 'POST /v1/payment_intent' }, 'No such call'],
  [{ kind: 'error', call: CREATE, time: 2 }, 'body must'],
  [{ kind: 'error', event: 'charge.*' }, 'body must'],
  [{ kind: 'explode', call: CREATE }, 'body must'],
  [{ kind: 'lose', event: 'charge.*', times: '2' }, 'body'],
])('a misspelt fault is refused: %j', async (order, message) => {
  const { control } = await startBoth();
  await expect(control.addFault(order as FaultOrder)).rejects.toThrow(message);
  expect(await control.removeFaults()).toEqual({ data: [] });
});
