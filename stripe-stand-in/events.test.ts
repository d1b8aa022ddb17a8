import type Stripe from 'stripe';
import { expect, onTestFinished, test, vi } from 'vitest';

import { failureOf, receiveWebhooks, startBoth } from './test-support.ts';

const PAID = { amount: 14_900, currency: 'nok', confirm: true, payment_method: 'pm_card_visa' };

async function typesOf(stripe: Stripe, params: Stripe.EventListParams): Promise<string[]> {
  return (await stripe.events.list(params)).data.map(({ type }) => type);
}

test('events are listed by type, newest first', async () => {
  const { stripe } = await startBoth();
  await stripe.paymentIntents.create(PAID);
  expect(await typesOf(stripe, { types: ['charge.succeeded', 'payment_intent.created'] })).toEqual([
    'charge.succeeded',
    'payment_intent.created',
  ]);
  expect(await typesOf(stripe, { type: 'payment_intent.*' })).toEqual([
    'payment_intent.succeeded',
    'payment_intent.created',
  ]);
  for (const params of [
    { type: 'charge.failed', types: ['charge.failed'] },
    { types: Array.from({ length: 21 }, (_, n) => `type.${n}`) },
  ]) {
    expect(await failureOf(stripe.events.list(params))).toMatchObject({ statusCode: 400 });
  }
});

test('events after a given one are read page by page, as the reconciliation does', async () => {
  const { stripe } = await startBoth();
  await stripe.paymentIntents.create(PAID);
  const [seen] = (await stripe.events.list({ limit: 1 })).data;
  for (let i = 0; i < 3; i += 1) await stripe.paymentIntents.create(PAID);

  const params = { ending_before: seen!.id, limit: 2, types: ['charge.*'] };
  const first = await stripe.events.list(params);
  expect(first).toMatchObject({ has_more: true, data: [{ type: 'charge.succeeded' }, {}] });
  const all = await stripe.events.list(params).autoPagingToArray({ limit: 100 });
  const every = (await stripe.events.list({ types: ['charge.*'] })).data;
  expect(new Set(all.map(({ id }) => id))).toEqual(new Set(every.slice(0, 3).map(({ id }) => id)));
});

test('only events that did not arrive are listed as undelivered', async () => {
  const receiver = await receiveWebhooks(() => 200);
  const { stripe, control } = await startBoth({ webhookUrl: receiver.url });
  await control.addFault({ kind: 'lose', event: 'payment_intent.succeeded' });
  await stripe.paymentIntents.create(PAID);
  await receiver.received(2);
  const undelivered = () => typesOf(stripe, { delivery_success: false });
  await expect.poll(undelivered).toEqual(['payment_intent.succeeded']);
  const delivered = await typesOf(stripe, { delivery_success: true, types: ['*'] });
  expect(delivered).toEqual(['charge.succeeded', 'payment_intent.created']);
});

test('events are listed for 30 days', async () => {
  const { stripe } = await startBoth();
  await stripe.paymentIntents.create(PAID);
  const [event] = (await stripe.events.list({ limit: 1 })).data;
  const days = (n: number) => event!.created * 1000 + n * 24 * 60 * 60 * 1000;
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(days(29.9));
  expect((await stripe.events.list()).data).toHaveLength(3);
  vi.setSystemTime(days(30));
  expect((await stripe.events.list()).data).toEqual([]);
  expect(await failureOf(stripe.events.retrieve(event!.id))).toMatchObject({ statusCode: 404 });
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});
