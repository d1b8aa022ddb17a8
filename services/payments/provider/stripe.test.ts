import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { createRegistrationIntent } from '#payments/create-intent.ts';
import { ensureIntent } from './stripe.ts';
import { findPaymentByIntent } from '#payments/payment.ts';

const gateway = useTestGateway();

test('two attempts that create two intents return the same one', async () => {
  const { deps } = gateway;
  await setPrice(deps.db, 149_00);
  const request = { email: uniqueEmail(), username: 'Demo', clientKey: undefined };
  const { payment_intent_id: storedId } = await createRegistrationIntent(deps, request);
  const payment = await findPaymentByIntent(deps.db, storedId!);
  // An earlier call with the key of another attempt, which gets Stripe's answer only now.
  const late = { ...payment!, payment_intent_id: null, attempt: payment!.attempt + 1 };
  expect((await ensureIntent(deps, late)).id).toBe(storedId);
});

test('an address that Stripe rejects becomes email_refused with the name of the field', async () => {
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
  const request = { email: uniqueEmail(), username: 'Demo' };
  await expect(createRegistrationIntent({ ...deps, stripe }, request)).rejects.toMatchObject({
    code: 'email_refused',
    details: { field: 'email' },
  });
});
