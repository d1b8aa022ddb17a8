import { beforeAll, expect, test, vi } from 'vitest';
import { syncPayment } from '@proveklar/services/payments/books/sync-payment.ts';
import { closePayment } from '@proveklar/services/payments/close-payment.ts';
import { createExtensionIntent } from '@proveklar/services/payments/create-intent.ts';
import { listPayments } from '@proveklar/services/payments/overview.ts';
import { findPaymentByIntent } from '@proveklar/services/payments/payment.ts';
import { makeRefund, refundPayment } from '@proveklar/services/payments/refund.ts';
import { deleteUser, resumeDeletion } from '@proveklar/services/privacy/delete-user.ts';
import { addDays, createAdministrator, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { payWithCard } from '@proveklar/tests/support/pay.ts';

const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));

async function payer() {
  const { deps } = gateway;
  const user = await gateway.identity.createPasswordUser();
  const id = await addDays(deps.db, user, 30);
  const by = await createAdministrator(deps.db);
  return {
    // Its request passed the access check before the account was closed.
    pay: () => createExtensionIntent(deps, { id, email: user.email, language: 'no' }),
    remove: () => deleteUser(deps, user.uid, by),
    payments: async () =>
      (await deps.db.query('select state, email from payment where account_id = $1', [id])).rows,
  };
}

test('a payment that a user starts during their deletion is refused', async () => {
  const { pay, remove, payments } = await payer();
  const { identity } = gateway.deps;
  const deleteIdentity = identity.deleteUser.bind(identity);
  vi.spyOn(identity, 'deleteUser').mockImplementationOnce(async (uid) => {
    await expect(pay()).rejects.toMatchObject({ code: 'account_disabled' });
    await deleteIdentity(uid);
  });
  await remove();
  expect(await payments()).toEqual([]);
});

test('an intent that Stripe creates during the deletion of its user is cancelled and not returned', async () => {
  const { pay, remove, payments } = await payer();
  const { paymentIntents } = gateway.deps.stripe;
  const create = paymentIntents.create.bind(paymentIntents);
  let intentId = '';
  vi.spyOn(paymentIntents, 'create').mockImplementationOnce(async (order) => {
    await remove();
    const intent = await create(order);
    intentId = intent.id;
    return intent;
  });
  await expect(pay()).rejects.toMatchObject({ code: 'account_disabled' });
  expect((await paymentIntents.retrieve(intentId)).status).toBe('canceled');
  expect(await payments()).toEqual([{ state: 'cancelled', email: null }]);
});

test('a payment whose intent was stored after it was read is cancelled at Stripe too', async () => {
  const { pay, payments } = await payer();
  const { deps } = gateway;
  const { payment_intent_id: intentId } = await pay();
  const payment = (await findPaymentByIntent(deps.db, intentId!))!;
  await closePayment(deps, { ...payment, payment_intent_id: null }, 'account_closed');
  expect((await deps.stripe.paymentIntents.retrieve(intentId!)).status).toBe('canceled');
  expect(await payments()).toMatchObject([{ state: 'cancelled' }]);
});

test.each(['the deletion of the account', "Stripe's event"])(
  'an extension that was paid and not settled when a payer took the address is listed under attention, by %s first, and can be refunded',
  async (first) => {
    const { deps } = gateway;
    const squatter = await gateway.identity.createPasswordUser();
    const { body: extension } = await gateway.call('POST', '/payment/create-intent', {
      token: squatter.idToken,
    });
    await payWithCard(gateway, extension.payment_intent_id);

    const { email } = squatter;
    const person = { email, username: 'Ny' };
    const { body: registration } = await gateway.call(
      'POST',
      '/payment/create-registration-intent',
      { body: person },
    );
    await payWithCard(gateway, registration.payment_intent_id);
    const { body } = await gateway.call('POST', '/payment/confirm-registration', {
      body: {
        ...person,
        password: 'et godt passord',
        payment_intent_id: registration.payment_intent_id,
      },
    });
    expect(body).toMatchObject({ password_mailed: true, days_remaining: 30 });

    const before = (await findPaymentByIntent(deps.db, extension.payment_intent_id))!;
    if (first === "Stripe's event") await syncPayment(deps, extension.payment_intent_id);
    await resumeDeletion(deps, before.account_id!);
    const payment = (await findPaymentByIntent(deps.db, extension.payment_intent_id))!;
    expect(payment).toMatchObject({ state: 'settled', attention: 'account_closed' });
    const filter = { status: undefined, attention: true, search: payment.id, before: undefined };
    expect((await listPayments(deps.db, filter)).payments).toMatchObject([{ id: payment.id }]);

    const actor = await createAdministrator(deps.db);
    const order = { paymentId: payment.id, amountOre: null, note: 'Tilbake', actor };
    const refund = await refundPayment(deps.db, { ...order, key: crypto.randomUUID() });
    await makeRefund(deps, refund.id);
    expect(await findPaymentByIntent(deps.db, extension.payment_intent_id)).toMatchObject({
      refunded_ore: 149_00,
      attention: null,
    });
  },
);
