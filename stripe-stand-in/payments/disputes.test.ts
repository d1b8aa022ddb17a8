import type Stripe from 'stripe';
import { expect, test } from 'vitest';

import { eventTypes, failureOf, startBoth } from '../test-support.ts';

const PAID = { amount: 14_900, currency: 'nok', confirm: true };

async function charge(stripe: Stripe, card = 'pm_card_visa'): Promise<string> {
  const intent = await stripe.paymentIntents.create({ ...PAID, payment_method: card });
  return intent.latest_charge as string;
}

test('a test card disputes its own payment', async () => {
  const { stripe } = await startBoth();
  const id = await charge(stripe, 'pm_card_createDispute');
  const { data } = await stripe.disputes.list({ charge: id });
  expect(data).toMatchObject([
    { object: 'dispute', amount: 14_900, currency: 'nok', charge: id, reason: 'fraudulent' },
  ]);
  expect(await stripe.charges.retrieve(id)).toMatchObject({ disputed: true, paid: true });
  expect(await eventTypes(stripe)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
  ]);
});

test.each([
  ['won', 'winning_evidence', ['charge.dispute.closed', 'charge.dispute.funds_reinstated']],
  ['lost', 'losing_evidence', ['charge.dispute.closed']],
])('evidence decides: %s', async (status, text, events) => {
  const { stripe, control } = await startBoth();
  const { id } = await control.dispute(await charge(stripe), { reason: 'duplicate', amount: 5000 });
  const draft = await stripe.disputes.update(id, {
    evidence: { customer_name: 'Kari' },
    submit: false,
  });
  expect(draft).toMatchObject({
    status: 'needs_response',
    amount: 5000,
    reason: 'duplicate',
    evidence: { customer_name: 'Kari', uncategorized_text: null },
    evidence_details: { has_evidence: true, submission_count: 0 },
  });

  const before = (await eventTypes(stripe)).length;
  const closed = await stripe.disputes.update(id, { evidence: { uncategorized_text: text } });
  expect(closed).toMatchObject({ id, status, evidence_details: { submission_count: 1 } });
  expect((await eventTypes(stripe)).slice(before)).toEqual(['charge.dispute.updated', ...events]);
  expect(await failureOf(stripe.disputes.close(id))).toMatchObject({ statusCode: 400 });
});

test('closing a dispute accepts it', async () => {
  const { stripe, control } = await startBoth();
  const { id } = await control.dispute(await charge(stripe));
  expect((await stripe.disputes.close(id)).status).toBe('lost');
  expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'lost' });
  expect((await eventTypes(stripe)).at(-1)).toBe('charge.dispute.closed');
});

test('a disputed charge is neither refunded nor disputed again, until the dispute is won', async () => {
  const { stripe, control } = await startBoth();
  const id = await charge(stripe);
  await stripe.refunds.create({ charge: id, amount: 900 });
  await expect(control.dispute(id, { amount: 14_900 })).rejects.toThrow('cannot be disputed');
  const dispute = await control.dispute(id);
  expect(dispute.amount).toBe(14_000);
  await expect(control.dispute(id)).rejects.toThrow('cannot be disputed');
  expect(await failureOf(stripe.refunds.create({ charge: id }))).toMatchObject({
    code: 'charge_disputed',
  });

  const evidence = { uncategorized_text: 'winning_evidence' };
  await stripe.disputes.update(dispute.id, { evidence });
  expect((await stripe.refunds.create({ charge: id })).amount).toBe(14_000);
});
