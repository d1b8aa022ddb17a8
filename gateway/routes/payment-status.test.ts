import { beforeAll, describe, expect, test } from 'vitest';
import {
  createExtensionIntent,
  createRegistrationIntent,
} from '@proveklar/services/payments/create-intent.ts';
import { syncPayment } from '@proveklar/services/payments/books/sync-payment.ts';
import { findAccountByEmail } from '@proveklar/services/accounts/account.ts';
import { beginPacket } from '@proveklar/tests/support/codes.ts';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { payByRedirect, payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';

// A person who returns from the page of a bank or wallet, with nothing but the address of the return.
const gateway = useTestGateway();
const PASSWORD = 'et godt passord';
const paymentMethods = ['card', 'vipps'] as const;

beforeAll(() => setPrice(gateway.deps.db, 149_00));

async function begin(email = uniqueEmail()) {
  const request = { email, username: 'Demo' };
  const intent = await createRegistrationIntent({ ...gateway.deps, paymentMethods }, request);
  return {
    email,
    id: intent.payment_intent_id!,
    address: {
      payment_intent_id: intent.payment_intent_id!,
      client_secret: intent.client_secret!,
    },
  };
}

const statusOf = async (address: object) =>
  gateway.call('POST', '/payment/status', { body: address });

const confirm = (email: string, payment_intent_id: string) =>
  gateway.call('POST', '/payment/confirm-registration', {
    body: { email, username: 'Demo', password: PASSWORD, payment_intent_id },
  });

describe('a registration that comes back', () => {
  test('approved: waits for its password, and has none to ask for afterwards', async () => {
    const { email, id, address } = await begin();
    await payByRedirect(gateway, id);
    const found = await statusOf(address);
    expect(found).toMatchObject({
      status: 200,
      body: {
        purpose: 'registration',
        status: 'paid',
        amount: 149_00,
        service_days: 30,
        registration: { email, username: 'Demo', needs_password: true },
      },
    });
    expect(await confirm(email, id)).toMatchObject({ status: 200 });
    await gateway.identity.signInWithPassword(email, PASSWORD);
    expect((await statusOf(address)).body).toMatchObject({
      status: 'settled',
      registration: { needs_password: false },
    });
  });

  test('an hour later: the account is there, and the password can still be chosen', async () => {
    const { email, id, address } = await begin();
    await payByRedirect(gateway, id);
    await syncPayment(gateway.deps, id);
    expect((await statusOf(address)).body).toMatchObject({
      status: 'settled',
      registration: { needs_password: true },
    });
    expect(await confirm(email, id)).toMatchObject({ body: { days_remaining: 30 } });
    await gateway.identity.signInWithPassword(email, PASSWORD);
  });

  test('refused: nothing was charged, and a card pays the same payment', async () => {
    const { email, id, address } = await begin();
    await payByRedirect(gateway, id, 'fail');
    expect((await statusOf(address)).body).toMatchObject({
      status: 'unpaid',
      registration: { needs_password: false },
    });
    await payWithCard(gateway, id);
    expect(await confirm(email, id)).toMatchObject({ status: 200 });
    expect((await findAccountByEmail(gateway.deps.db, email))?.state).toBe('active');
  });

  test('closed: the bank still waits for its customer', async () => {
    const { id, address } = await begin();
    await payByRedirect(gateway, id, null);
    expect((await statusOf(address)).body).toMatchObject({ status: 'requires_action' });
    await stripeControl(gateway).authenticate(id, 'complete');
    expect((await statusOf(address)).body).toMatchObject({ status: 'paid' });
  });

  test('for an address that has an account: no password is asked for once the days are there', async () => {
    const { email, uid } = await gateway.identity.createPasswordUser(
      uniqueEmail(),
      'the first one',
    );
    await gateway.identity.verifyEmail(uid);
    const { id, address } = await begin(email);
    await payByRedirect(gateway, id);
    await syncPayment(gateway.deps, id);
    expect((await statusOf(address)).body).toMatchObject({
      status: 'settled',
      registration: { email, needs_password: false },
    });
  });

  test('a day later, whose it is is not told any more', async () => {
    const { id, address } = await begin();
    await payByRedirect(gateway, id);
    await syncPayment(gateway.deps, id);
    await gateway.deps.db.query(
      `update payment set created_at = created_at - interval '25 hours' where payment_intent_id = $1`,
      [id],
    );
    expect((await statusOf(address)).body).toMatchObject({ status: 'settled', registration: null });
  });

  test('cancelled or expired: says which', async () => {
    const [left, old] = [await begin(), await begin()];
    await gateway.call('POST', '/payment/cancel', { body: left.address });
    expect((await statusOf(left.address)).body.status).toBe('cancelled');
    await gateway.deps.stripe.paymentIntents.cancel(old.id);
    await gateway.deps.db.query(
      `update payment set cancel_reason = 'abandoned' where payment_intent_id = $1`,
      [old.id],
    );
    expect((await statusOf(old.address)).body.status).toBe('expired');
  });

  test('another amount than was asked for: we must look at it', async () => {
    const { id, address } = await begin();
    await payByRedirect(gateway, id);
    await gateway.deps.db.query(
      'update payment set amount_ore = amount_ore + 1 where payment_intent_id = $1',
      [id],
    );
    expect((await statusOf(address)).body).toMatchObject({
      status: 'needs_help',
      registration: { needs_password: false },
    });
  });
});

test('an extension that comes back is settled, and names no learner', async () => {
  const user = await gateway.identity.createPasswordUser();
  const accountId = await addDays(gateway.deps.db, user, 12);
  const account = { id: accountId, email: user.email, language: 'no' as const };
  const deps = { ...gateway.deps, paymentMethods };
  const { payment_intent_id, client_secret } = await createExtensionIntent(deps, account);
  await payByRedirect(gateway, payment_intent_id!);
  expect((await statusOf({ payment_intent_id, client_secret })).body).toEqual({
    purpose: 'extension',
    status: 'settled',
    amount: 149_00,
    service_days: 30,
    packet_key: null,
    registration: null,
  });
});

test('a packet of codes that comes back is settled, and tells the key to its page', async () => {
  const packet = await beginPacket(gateway);
  await payWithCard(gateway, packet.intentId);
  const address = { payment_intent_id: packet.intentId, client_secret: packet.clientSecret };
  expect((await statusOf(address)).body).toMatchObject({
    purpose: 'packet',
    status: 'settled',
    packet_key: packet.key,
    registration: null,
  });
});

test('without the right secret there is no such payment', async () => {
  const [mine, other] = [await begin(), await begin()];
  const mixed = { ...mine.address, client_secret: other.address.client_secret };
  for (const address of [mixed, { ...mine.address, client_secret: `${mine.id}_secret_x` }]) {
    expect(await statusOf(address)).toMatchObject({
      status: 404,
      body: { code: 'payment_not_found' },
    });
  }
});
