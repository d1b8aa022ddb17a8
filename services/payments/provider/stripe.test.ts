import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { createRegistrationIntent } from '#payments/create-intent.ts';
import { intentOf } from './stripe.ts';
import { findPaymentByIntent } from '#payments/payment.ts';

const gateway = useTestGateway();

test('of two intents that two tries made, one is handed out', async () => {
  const { deps } = gateway;
  await setPrice(deps.db, 149_00);
  const wish = { email: uniqueEmail(), username: 'Demo', clientKey: undefined };
  const { payment_intent_id: noted } = await createRegistrationIntent(deps, wish);
  const payment = await findPaymentByIntent(deps.db, noted!);
  // A try that began before, under the key of another attempt, and hears from Stripe only now.
  const late = { ...payment!, payment_intent_id: null, attempt: payment!.attempt + 1 };
  expect((await intentOf(deps, late)).id).toBe(noted);
});

test('an address that Stripe refuses is said to be refused, by the name of its field', async () => {
  const { deps } = gateway;
  await setPrice(deps.db, 149_00);
  const refusal = new Stripe.errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    code: 'email_invalid',
    param: 'receipt_email',
    message: 'Invalid email address: kari@example.no',
  });
  const paymentIntents = { create: () => Promise.reject(refusal) };
  const stripe = { ...deps.stripe, paymentIntents } as unknown as typeof deps.stripe;
  const wish = { email: uniqueEmail(), username: 'Demo' };
  await expect(createRegistrationIntent({ ...deps, stripe }, wish)).rejects.toMatchObject({
    code: 'email_refused',
    details: { field: 'email' },
  });
});
