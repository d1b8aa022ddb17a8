import type Stripe from 'stripe';
import { expect, test } from 'vitest';

import {
  receiveWebhooks,
  startBoth,
  startForTest,
  stripeAt,
  temporaryDir,
} from '../test-support.ts';
import { controlAt } from './client.ts';

const PAID = { amount: 14_900, currency: 'nok', confirm: true, payment_method: 'pm_card_visa' };
const TYPES = ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'];

async function start() {
  const receiver = await receiveWebhooks(() => 200);
  const { stripe, control } = await startBoth({ webhookUrl: receiver.url });
  const typesOf = async (count: number) =>
    (await receiver.received(count)).map(({ event }) => event.type);
  return { receiver, stripe, control, typesOf };
}

const isDelivered = async (stripe: Stripe, type: string) => {
  const { data } = await stripe.events.list({ type, delivery_success: true });
  return data.length === 1;
};

test('an event is delivered more than once', async () => {
  const { receiver, stripe, control } = await start();
  const order = { kind: 'duplicate', event: 'payment_intent.succeeded', copies: 2 } as const;
  const { id } = await control.addFault(order);
  await stripe.paymentIntents.create(PAID);
  await stripe.paymentIntents.create(PAID);
  const delivered = await receiver.received(8);
  const succeeded = delivered.filter(({ event }) => event.type === 'payment_intent.succeeded');
  const times = Map.groupBy(succeeded, ({ event }) => event.id);
  expect(new Set(Array.from(times.values(), ({ length }) => length))).toEqual(new Set([1, 3]));
  expect(await control.findFault(id)).toMatchObject({ hits: 1, left: 0 });
});

test('a reorder fault delivers the events in reverse order once all have occurred', async () => {
  const { stripe, control, typesOf } = await start();
  await control.addFault({ kind: 'reorder', event: '*', times: 3 });
  await stripe.paymentIntents.create(PAID);
  expect(await typesOf(3)).toEqual(TYPES.toReversed());
});

test('an incomplete reorder is delivered when the fault is removed', async () => {
  const { stripe, control, typesOf } = await start();
  const { id } = await control.addFault({ kind: 'reorder', event: '*', times: 5 });
  await stripe.paymentIntents.create(PAID);
  expect((await stripe.events.list({ delivery_success: false })).data).toHaveLength(3);
  await control.removeFault(id);
  expect(await typesOf(3)).toEqual(TYPES.toReversed());
});

test('a delayed event waits until it is released, or for a given time', async () => {
  const { stripe, control, typesOf } = await start();
  const { id } = await control.addFault({ kind: 'delay', event: 'payment_intent.succeeded' });
  await control.addFault({ kind: 'delay', event: 'charge.succeeded', milliseconds: 1 });
  await stripe.paymentIntents.create(PAID);
  expect((await typesOf(2)).toSorted()).toEqual(['charge.succeeded', 'payment_intent.created']);
  expect(await isDelivered(stripe, 'payment_intent.succeeded')).toBe(false);
  await control.removeFault(id);
  expect((await typesOf(3)).at(-1)).toBe('payment_intent.succeeded');
});

test('a lost event is listed as undelivered or as delivered, and can be resent', async () => {
  const { stripe, control, typesOf } = await start();
  await control.addFault({ kind: 'lose', event: 'payment_intent.succeeded' });
  await control.addFault({ kind: 'lose', event: 'charge.succeeded', listed: 'delivered' });
  await stripe.paymentIntents.create(PAID);
  expect(await typesOf(1)).toEqual(['payment_intent.created']);
  expect(await isDelivered(stripe, 'charge.succeeded')).toBe(true);
  const { data } = await stripe.events.list({ delivery_success: false, types: ['*'] });
  expect(data).toMatchObject([{ type: 'payment_intent.succeeded', pending_webhooks: 0 }]);

  await control.resend(data[0]!.id);
  expect((await typesOf(2)).at(-1)).toBe('payment_intent.succeeded');
  await expect.poll(() => isDelivered(stripe, 'payment_intent.succeeded')).toBe(true);
});

test('events held by a fault are delivered by the next run', async () => {
  const dataDir = temporaryDir();
  const receiver = await receiveWebhooks(() => 200);
  const first = await startForTest({ dataDir, webhookUrl: receiver.url });
  await controlAt(first.url).addFault({ kind: 'delay', event: 'charge.*' });
  await stripeAt(first.url).paymentIntents.create(PAID);
  await receiver.received(2);
  await first.close();
  await startForTest({ dataDir, webhookUrl: receiver.url });
  const types = async () => (await receiver.received(0)).map(({ event }) => event.type);
  await expect.poll(types).toContain('charge.succeeded');
});
