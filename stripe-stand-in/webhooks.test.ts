import { expect, test } from 'vitest';

import { receiveWebhooks, startForTest, stripeAt, temporaryDir } from './test-support.ts';

const ORDER = { amount: 14_900, currency: 'nok', metadata: { order_id: '7' } };

test('events are signed so that the SDK verifies them, and describe the payment', async () => {
  const receiver = await receiveWebhooks(() => 200);
  const stripe = stripeAt((await startForTest({ webhookUrl: receiver.url })).url);
  const { id } = await stripe.paymentIntents.create(ORDER);
  await stripe.paymentIntents
    .confirm(id, { payment_method: 'pm_card_chargeDeclined' })
    .catch(() => {});
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
  const other = await stripe.paymentIntents.create(ORDER);
  await stripe.paymentIntents.cancel(other.id);

  const delivered = await receiver.received(7);
  expect(delivered.map(({ event }) => event.type).toSorted()).toEqual([
    'charge.failed',
    'charge.succeeded',
    'payment_intent.canceled',
    'payment_intent.created',
    'payment_intent.created',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
  ]);
  const succeeded = delivered.find(({ event }) => event.type === 'payment_intent.succeeded')!;
  expect(succeeded.signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
  expect(succeeded.event).toMatchObject({
    api_version: '2026-10-28.endive',
    livemode: false,
    pending_webhooks: 1,
    data: { object: { id, status: 'succeeded', metadata: { order_id: '7' } } },
  });
  expect(succeeded.event.request?.id).toMatch(/^req_/);
});

test('an event is retried until it is accepted, and then has no pending webhooks', async () => {
  const receiver = await receiveWebhooks((n) => (n <= 2 ? 500 : 200));
  const stripe = stripeAt((await startForTest({ webhookUrl: receiver.url })).url);
  await stripe.paymentIntents.create(ORDER);
  const [delivery] = await receiver.received(1);

  const { id } = delivery!.event;
  await expect.poll(async () => (await stripe.events.retrieve(id)).pending_webhooks).toBe(0);
  const missed = await stripe.events.list({ delivery_success: false });
  expect(missed.data).toEqual([]);
  const created = await stripe.events.list({ types: ['payment_intent.*'] });
  expect(created.data.map((event) => event.id)).toEqual([id]);
});

test('an undelivered event is delivered after a restart', async () => {
  const dataDir = temporaryDir();
  const stopped = await startForTest();
  await stopped.close();
  const before = await startForTest({ dataDir, webhookUrl: stopped.url });
  const intent = await stripeAt(before.url).paymentIntents.create(ORDER);
  const missed = await stripeAt(before.url).events.list({ delivery_success: false });
  expect(missed.data.map((event) => event.pending_webhooks)).toEqual([1]);
  await before.close();

  const receiver = await receiveWebhooks(() => 200);
  const after = await startForTest({ dataDir, webhookUrl: receiver.url });
  const [delivery] = await receiver.received(1);
  expect(delivery!.event.id).toBe(missed.data[0]!.id);
  expect(delivery!.event.data.object).toMatchObject({ id: intent.id });
  expect((await stripeAt(after.url).paymentIntents.retrieve(intent.id)).id).toBe(intent.id);
});

test('an endpoint that never responds delays no payment', async () => {
  const receiver = await receiveWebhooks(() => null);
  const standIn = await startForTest({ webhookUrl: receiver.url });
  const stripe = stripeAt(standIn.url);
  const creates = Array.from({ length: 40 }, () => stripe.paymentIntents.create(ORDER));
  expect(await Promise.all(creates)).toHaveLength(40);
  await standIn.close();
});

test('an endpoint gets the event types that it subscribes to, and is listed with them', async () => {
  const receiver = await receiveWebhooks(() => 200);
  const webhookEvents = ['charge.*', 'payment_intent.created'];
  const { url } = await startForTest({ webhookUrl: receiver.url, webhookEvents });
  const stripe = stripeAt(url);
  await stripe.paymentIntents.create({
    amount: 300,
    currency: 'nok',
    confirm: true,
    payment_method: 'pm_card_visa',
    return_url: 'https://example.no',
  });
  const sent = (await receiver.received(2)).map(({ event }) => event.type).toSorted();
  expect(sent).toEqual(['charge.succeeded', 'payment_intent.created']);
  const unsent = await stripe.events.list({ type: 'payment_intent.succeeded' });
  expect(unsent.data.map((event) => event.pending_webhooks)).toEqual([0]);
  const { data } = await stripe.webhookEndpoints.list();
  expect(data).toMatchObject([
    { url: receiver.url, enabled_events: webhookEvents, status: 'enabled' },
  ]);
  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({ charges_enabled: true });
});
