import { expect, test } from 'vitest';

import { startForTest, stripeAt, temporaryDir } from './test-support.ts';

const ORDER = { amount: 14_900, currency: 'nok' };

test('30 concurrent creates with one idempotency key create one intent', async () => {
  const stripe = stripeAt((await startForTest()).url);
  const creates = Array.from({ length: 30 }, () =>
    stripe.paymentIntents.create(ORDER, { idempotencyKey: 'order-1' }),
  );
  const intents = await Promise.all(creates);
  expect(new Set(intents.map(({ id }) => id)).size).toBe(1);
  const replayed = intents.filter(
    (intent) => intent.lastResponse.headers['idempotent-replayed'] === 'true',
  );
  expect(replayed).toHaveLength(29);
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('an idempotency key is bound to its parameters and endpoint, also after a restart', async () => {
  const dataDir = temporaryDir();
  const before = await startForTest({ dataDir });
  const options = { idempotencyKey: 'order-1' };
  const intent = await stripeAt(before.url).paymentIntents.create(ORDER, options);
  await before.close();

  const stripe = stripeAt((await startForTest({ dataDir })).url);
  expect((await stripe.paymentIntents.create(ORDER, options)).id).toBe(intent.id);
  const misuse = { type: 'StripeIdempotencyError', statusCode: 400 };
  await expect(
    stripe.paymentIntents.create({ ...ORDER, amount: 500 }, options),
  ).rejects.toMatchObject(misuse);
  await expect(stripe.paymentIntents.cancel(intent.id, {}, options)).rejects.toMatchObject(misuse);
});

test('the response of a declined card is replayed, that of failed validation is not', async () => {
  const stripe = stripeAt((await startForTest()).url);
  const { id } = await stripe.paymentIntents.create(ORDER);
  const params = { payment_method: 'pm_card_chargeDeclined' };
  const options = { idempotencyKey: 'try-1' };
  const confirm = () => stripe.paymentIntents.confirm(id, params, options);
  await expect(confirm()).rejects.toMatchObject({ code: 'card_declined' });
  await expect(confirm()).rejects.toMatchObject({ code: 'card_declined' });
  expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);

  const create = { idempotencyKey: 'order-2' };
  const tooSmall = stripe.paymentIntents.create({ ...ORDER, amount: 1 }, create);
  await expect(tooSmall).rejects.toMatchObject({ code: 'amount_too_small' });
  expect((await stripe.paymentIntents.create(ORDER, create)).amount).toBe(14_900);
});
