import type { CancelReason } from '@proveklar/contract/admin-payments.ts';
import { AppError, type ErrorCode } from '@proveklar/services/errors/app-error.ts';
import { closePayment } from '@proveklar/services/payments/close-payment.ts';
import { findPaymentByIntent } from '@proveklar/services/payments/payment.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import {
  CLIENT_SECRET,
  DEMO_EMAIL,
  DEMO_NAME,
  PAYMENT_INTENT_ID,
} from '@proveklar/gateway/openapi/examples/values.ts';
import {
  createRegistrationIntent,
  receiveStripeEvent,
} from '@proveklar/gateway/openapi/examples/payment.ts';
import { setPrice } from '../factories.ts';
import { WEBHOOK_SECRET, type TestGateway } from '../gateway.ts';
import { uniqueEmail } from '../identity.ts';
import { buyAccess, payWithCard } from '../pay.ts';
import { signIn, type Call, type SetUp, type SetUps } from './set-up.ts';

/** A person without an account. */
async function newcomer(): Promise<Call & { real: Record<string, string> }> {
  return { real: { [DEMO_EMAIL]: uniqueEmail() } };
}

/** A registration that was started and is not paid yet. */
async function begun(gateway: TestGateway): Promise<Call> {
  const { real } = await newcomer();
  const { body } = await gateway.call('POST', '/payment/create-registration-intent', {
    body: { email: real[DEMO_EMAIL], username: DEMO_NAME },
  });
  return { real: { ...real, ...intentIn(body) } };
}

/** A learner with 12 days left who has an open payment for more. */
async function extending(gateway: TestGateway): Promise<Call> {
  const { token, real } = await signIn(gateway, 12);
  const { body } = await gateway.call('POST', '/payment/create-intent', { token });
  return { token, real: { ...real, ...intentIn(body) } };
}

const intentIn = (body: { payment_intent_id: string; client_secret: string }) => ({
  [CLIENT_SECRET]: body.client_secret,
  [PAYMENT_INTENT_ID]: body.payment_intent_id,
});

/** The payment that `begin` opens, paid. */
const paid =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const call = await begin(gateway);
    await payWithCard(gateway, call.real![PAYMENT_INTENT_ID]!);
    return call;
  };

/** A registration while access is free. */
const freeNewcomer: SetUp = async (gateway) => {
  await setPrice(gateway.deps.db, 0);
  const body = { email: DEMO_EMAIL, password: 'et godt passord', username: DEMO_NAME };
  return { ...(await newcomer()), body };
};

const free =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    await setPrice(gateway.deps.db, 0);
    return begin(gateway);
  };

/** The key charges real cards, and the seller has no name yet. */
const live =
  (begin: SetUp): SetUp =>
  async (gateway) => ({ ...(await begin(gateway)), deps: { isLive: true } });

/** A learner who has withdrawn from a purchase, and does not consent now. */
const withdrawn: SetUp = async (gateway) => {
  const { token } = await signIn(gateway, 0);
  const id = await buyAccess(gateway, token, {});
  await gateway.call('POST', `/account/payments/${id}/withdraw`, {
    token,
    body: { refund_amount: 149_00 },
  });
  return { token, body: {} };
};

/** Less was paid than we asked for. */
const mismatched =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const call = await paid(begin)(gateway);
    await gateway.deps.db.query('update payment set amount_ore = amount_ore + 1');
    return call;
  };

/** The address has used up its limit: a person has just registered from it. */
const oneTooMany =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const call = await begin(gateway);
    await gateway.deps.db.query(
      `with begun as (update payment set state = 'cancelled')
       insert into free_registration (email, client_address) values ('en@example.no', '127.0.0.1')`,
    );
    return { ...call, deps: { limits: { ...gateway.deps.limits, perAddress: 1 } } };
  };

/** No Stripe answers at the client's address. */
const withoutStripe =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const stripe = createStripeClient({ secretKey: 'sk_test_x', apiUrl: gateway.identity.url });
    return { ...(await begin(gateway)), deps: { stripe } };
  };

/** The identity provider refuses to create a user, for a reason that its emulator never gives. */
const refusedByProvider =
  (code: ErrorCode): SetUp =>
  async (gateway) => {
    const call = await paid(begun)(gateway);
    const createUser = () => Promise.reject(new AppError(code));
    return { ...call, deps: { identity: { ...gateway.deps.identity, createUser } } };
  };

/** A completed registration whose account was deleted afterwards. */
const deletedSince: SetUp = async (gateway) => {
  const call = await paid(begun)(gateway);
  await gateway.call('POST', '/payment/confirm-registration', {
    body: {
      payment_intent_id: call.real![PAYMENT_INTENT_ID],
      email: call.real![DEMO_EMAIL],
      password: 'et godt passord',
      username: DEMO_NAME,
    },
  });
  await gateway.deps.db.query(`update account set state = 'deleted'`);
  return call;
};

/** A stranger has signed up with the address. */
const squatted =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const call = await begin(gateway);
    await gateway.identity.createPasswordUser(call.real![DEMO_EMAIL]);
    return call;
  };

/** Paid with a card whose bank is still processing the payment. */
const processing =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const call = await begin(gateway);
    await payWithCard(gateway, call.real![PAYMENT_INTENT_ID]!, 'pm_card_processing');
    return call;
  };

/** Paid with a card that the bank declines. */
const declined =
  (begin: SetUp): SetUp =>
  async (gateway) => {
    const call = await begin(gateway);
    const id = call.real![PAYMENT_INTENT_ID]!;
    await payWithCard(gateway, id, 'pm_card_chargeDeclined').catch(() => {});
    return call;
  };

/** Each payment is cancelled on another page while Stripe creates its PaymentIntent. */
const cancelledMeanwhile: SetUp = async (gateway) => {
  const { db, stripe } = gateway.deps;
  const create: typeof stripe.paymentIntents.create = async (...order) => {
    await db.query(
      `update payment set state = 'cancelled', cancelled_at = now(), cancel_reason = 'learner'
       where state = 'open'`,
    );
    return stripe.paymentIntents.create(...order);
  };
  const paymentIntents = Object.assign(Object.create(stripe.paymentIntents), { create });
  return { ...(await signIn(gateway)), deps: { stripe: { ...stripe, paymentIntents } } };
};

/** A repeated request whose payment has been closed. */
const clickedAgain =
  (reason: CancelReason): SetUp =>
  async (gateway) => {
    const { real } = await newcomer();
    const headers = createRegistrationIntent.examples.paid!.headers as Record<string, string>;
    const { body } = await gateway.call('POST', '/payment/create-registration-intent', {
      headers,
      body: { email: real[DEMO_EMAIL], username: DEMO_NAME },
    });
    const payment = await findPaymentByIntent(gateway.deps.db, body.payment_intent_id);
    await closePayment(gateway.deps, payment!, reason);
    return { real };
  };

/** The payment that `begin` opens, then cancelled by the learner, or by us as abandoned. */
const closed =
  (begin: SetUp, reason: CancelReason): SetUp =>
  async (gateway) => {
    const call = await begin(gateway);
    const payment = await findPaymentByIntent(gateway.deps.db, call.real![PAYMENT_INTENT_ID]!);
    await closePayment(gateway.deps, payment!, reason);
    return call;
  };

/** The documented event, signed now. */
const signedEvent: SetUp = async () => signed(receiveStripeEvent.examples.succeeded!.body);

function signed(body: unknown): Call {
  const bytes = JSON.stringify(body);
  const order = { payload: bytes, secret: WEBHOOK_SECRET };
  const { webhooks } = createStripeClient({ secretKey: 'sk_test_local' });
  const signature = webhooks.generateTestHeaderString(order);
  return { bytes, headers: { 'stripe-signature': signature } };
}

/** A person who has requested as many searches for their payments as the limit allows. */
const searchedOften: SetUp = async (gateway) => {
  const { real } = await newcomer();
  await gateway.deps.db.query(
    'insert into payment_search (email) select $1 from generate_series(1, 5)',
    [real[DEMO_EMAIL]],
  );
  return { real };
};

export const paymentSetUps: SetUps = {
  'createRegistrationIntent.paid': newcomer,
  'createRegistrationIntent.free': free(newcomer),
  'createRegistrationIntent.password_refused': async () => ({
    ...(await newcomer()),
    body: { email: DEMO_EMAIL, username: DEMO_NAME, password: '12345678' },
  }),
  'createRegistrationIntent.payment_cancelled': clickedAgain('learner'),
  'createRegistrationIntent.payment_expired': clickedAgain('abandoned'),
  'createRegistrationIntent.rate_limited': oneTooMany(begun),
  'createRegistrationIntent.payments_closed': live(newcomer),
  'createRegistrationIntent.payment_provider_failed': withoutStripe(newcomer),

  'confirmRegistration.paid': paid(begun),
  'confirmRegistration.reclaimed': squatted(paid(begun)),
  'confirmRegistration.free': free(newcomer),
  'confirmRegistration.email_refused': refusedByProvider('email_refused'),
  'confirmRegistration.password_refused': refusedByProvider('password_refused'),
  'confirmRegistration.identity_provider_failed': refusedByProvider('identity_provider_failed'),
  'confirmRegistration.account_disabled': deletedSince,
  'confirmRegistration.payment_not_found': newcomer,
  'confirmRegistration.payment_mismatch': mismatched(begun),
  'confirmRegistration.payment_not_completed': begun,
  'confirmRegistration.payment_declined': declined(begun),
  'confirmRegistration.processing': processing(begun),
  'confirmRegistration.payment_cancelled': closed(begun, 'learner'),
  'confirmRegistration.payment_expired': closed(begun, 'abandoned'),
  'confirmRegistration.rate_limited': oneTooMany(freeNewcomer),
  'confirmRegistration.payment_provider_failed': withoutStripe(begun),

  'createIntent.opened': (gateway) => signIn(gateway),
  'createIntent.without_consent': (gateway) => signIn(gateway),
  'createIntent.payments_closed': live((gateway) => signIn(gateway)),
  'createIntent.service_free': free((gateway) => signIn(gateway)),
  'createIntent.payment_cancelled': cancelledMeanwhile,
  'createIntent.consent_required': withdrawn,
  'createIntent.rate_limited': oneTooMany(extending),
  'createIntent.payment_provider_failed': withoutStripe((gateway) => signIn(gateway)),

  'confirmPayment.extended': paid(extending),
  'confirmPayment.payment_not_found': (gateway) => signIn(gateway),
  'confirmPayment.payment_not_completed': extending,
  'confirmPayment.payment_declined': declined(extending),
  'confirmPayment.processing': processing(extending),
  'confirmPayment.payment_cancelled': closed(extending, 'learner'),
  'confirmPayment.payment_expired': closed(extending, 'abandoned'),
  'confirmPayment.payment_mismatch': mismatched(extending),
  'confirmPayment.payment_provider_failed': withoutStripe(extending),

  'cancelPayment.cancelled': begun,
  'cancelPayment.payment_not_found': async () => ({}),
  'cancelPayment.payment_completed': paid(begun),
  'cancelPayment.payment_provider_failed': withoutStripe(begun),

  'readPaymentStatus.paid': paid(begun),
  'readPaymentStatus.refused': declined(begun),
  'readPaymentStatus.extended': paid(extending),
  'readPaymentStatus.payment_not_found': async () => ({}),
  'readPaymentStatus.payment_provider_failed': withoutStripe(begun),

  'searchPayments.asked': newcomer,
  'searchPayments.rate_limited': searchedOften,

  'receiveStripeEvent.succeeded': signedEvent,
  'receiveStripeEvent.signature_invalid': async () => ({}),
  'receiveStripeEvent.validation_failed': async () => signed([]),
};
