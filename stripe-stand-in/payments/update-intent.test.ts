import { expect, test } from 'vitest';

import { eventTypes, failureOf, startBoth } from '../test-support.ts';

const ORDER = { amount: 14_900, currency: 'nok', metadata: { order_id: '7', note: 'x' } };

test('an unpaid intent can be updated in part, without an event', async () => {
  const { stripe } = await startBoth();
  const intent = await stripe.paymentIntents.create({ ...ORDER, description: 'first' });
  const updated = await stripe.paymentIntents.update(intent.id, {
    amount: 9900,
    receipt_email: 'kari@example.no',
    description: '',
    metadata: { note: '', extra: 'y' },
  });
  expect(updated).toMatchObject({
    id: intent.id,
    amount: 9900,
    currency: 'nok',
    client_secret: intent.client_secret,
    receipt_email: 'kari@example.no',
    description: null,
    metadata: { order_id: '7', extra: 'y' },
    status: 'requires_payment_method',
  });
  expect(updated.metadata).not.toHaveProperty('note');
  expect((await stripe.paymentIntents.update(intent.id, { metadata: '' })).metadata).toEqual({});
  expect(await eventTypes(stripe)).toEqual(['payment_intent.created']);

  const withCard = await stripe.paymentIntents.update(intent.id, {
    payment_method: 'pm_card_visa',
  });
  expect(withCard.status).toBe('requires_confirmation');
  expect((await stripe.paymentIntents.confirm(intent.id)).amount_received).toBe(9900);
});

test('a paid intent keeps its amount, and accepts metadata', async () => {
  const { stripe } = await startBoth();
  const paid = { ...ORDER, confirm: true, payment_method: 'pm_card_visa' };
  const { id } = await stripe.paymentIntents.create(paid);
  expect(await failureOf(stripe.paymentIntents.update(id, { amount: 300 }))).toMatchObject({
    statusCode: 400,
    code: 'payment_intent_unexpected_state',
  });
  const { metadata } = await stripe.paymentIntents.update(id, { metadata: { seen: 'yes' } });
  expect(metadata).toMatchObject({ order_id: '7', seen: 'yes' });
});

test('a new amount voids a pending 3D Secure authentication', async () => {
  const { stripe, control } = await startBoth();
  const { id } = await stripe.paymentIntents.create({
    ...ORDER,
    confirm: true,
    payment_method: 'pm_card_authenticationRequired',
  });
  expect(await stripe.paymentIntents.update(id, { amount: 300 })).toMatchObject({
    status: 'requires_confirmation',
    next_action: null,
  });
  await expect(control.authenticate(id, 'complete')).rejects.toThrow('waits for no');
  expect(await failureOf(stripe.paymentIntents.update(id, { amount: 299 }))).toMatchObject({
    code: 'amount_too_small',
  });
});
