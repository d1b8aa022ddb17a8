import { expect, onTestFinished, test, vi } from 'vitest';
import { setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { createRegistrationIntent } from '#payments/create-intent.ts';
import { API_VERSION, createStripeClient, ensureIntent } from './stripe.ts';
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

test.each([
  [30, 'Prøveklar, 30 dager', '30 DAGER'],
  [1, 'Prøveklar, 1 dag', '1 DAG'],
])('an intent for %i days says so, and names no address', async (days, description, suffix) => {
  const { deps } = gateway;
  await setPrice(deps.db, 149_00);
  await deps.db.query('update settings set service_days = $1', [days]);
  const request = { email: uniqueEmail(), username: 'Demo' };
  const { payment_intent_id: id } = await createRegistrationIntent(deps, request);
  expect(await deps.stripe.paymentIntents.retrieve(id!)).toMatchObject({
    description,
    statement_descriptor_suffix: suffix,
    receipt_email: null,
    payment_method_types: ['card'],
  });
});

test('a payment offers the methods that are allowed, and asks for the preview of Vipps', async () => {
  const { deps } = gateway;
  await setPrice(deps.db, 149_00);
  const create = vi.spyOn(deps.stripe.paymentIntents, 'create');
  onTestFinished(() => create.mockRestore());
  const request = { email: uniqueEmail(), username: 'Demo' };
  const paymentMethods = ['card', 'vipps'] as const;
  await createRegistrationIntent({ ...deps, paymentMethods }, request);
  expect(create.mock.calls[0]![0]).toMatchObject({ allowed_payment_method_types: paymentMethods });
  const versionOf = (methods?: typeof paymentMethods) =>
    createStripeClient({ secretKey: 'sk_test_local', paymentMethods: methods }).getApiField(
      'version',
    );
  expect(versionOf()).toBe(API_VERSION);
  expect(versionOf(paymentMethods)).toBe(`${API_VERSION}; vipps_preview=v1`);
});
