import {
  LATER_PAYMENT_ID,
  PAYMENT_ID,
  RECONCILIATION_ID,
  REFUND_ID,
} from '@proveklar/gateway/openapi/examples/admin-payments.ts';
import { DEMO_UID } from '@proveklar/gateway/openapi/examples/users.ts';
import { ADMIN_EMAIL, PAYMENT_INTENT_ID } from '@proveklar/gateway/openapi/examples/values.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import type { TestGateway } from '../gateway.ts';
import { payWithCard } from '../pay.ts';
import { signIn, signInAdmin, type Call, type SetUp, type SetUps } from './set-up.ts';

/** The administrator, and a learner with 12 days left who has paid for 30 more. */
async function aPayment(gateway: TestGateway): Promise<Call> {
  const [admin, learner] = [await signInAdmin(gateway), await signIn(gateway, 12)];
  const { token, uid } = learner;
  const begun = await gateway.call('POST', '/payment/create-intent', {
    token,
    body: { consent_version: 'no-2026-11' },
  });
  const { payment_intent_id } = begun.body as { payment_intent_id: string };
  await payWithCard(gateway, payment_intent_id);
  await gateway.call('POST', '/payment/confirm', { token, body: { payment_intent_id } });
  const id = await idOf(gateway, payment_intent_id);
  return {
    token: admin.token,
    real: {
      ...learner.real,
      [ADMIN_EMAIL]: admin.email,
      [DEMO_UID]: uid,
      [PAYMENT_ID]: id,
      // Payment ids sort by time, and this one sorts last.
      [LATER_PAYMENT_ID]: 'ffffffff-ffff-7fff-bfff-ffffffffffff',
      [PAYMENT_INTENT_ID]: payment_intent_id,
      // The refund gets a new id in each database.
      [REFUND_ID]: crypto.randomUUID(),
    },
  };
}

async function idOf({ deps }: TestGateway, intentId: string): Promise<string> {
  const { rows } = await deps.db.query<{ id: string }>(
    'select id from payment where payment_intent_id = $1',
    [intentId],
  );
  return rows[0]!.id;
}

const unknown =
  (begin: SetUp): SetUp =>
  async (gateway) => ({ ...(await begin(gateway)), path: { id: crypto.randomUUID() } });

/** A payment of which `ore` have already been refunded. */
const refunded =
  (ore: number): SetUp =>
  async (gateway) => {
    const call = await aPayment(gateway);
    const { token = '', real } = call;
    const path = `/admin/payments/${real![PAYMENT_ID]!}/refund`;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    await gateway.call('POST', path, { token, headers, body: { amount: ore } });
    return call;
  };

/** No Stripe answers at the client's address. */
async function withoutStripe(gateway: TestGateway): Promise<Call> {
  const call = await aPayment(gateway);
  const stripe = createStripeClient({ secretKey: 'sk_test_x', apiUrl: gateway.identity.url });
  return { ...call, deps: { stripe } };
}

async function withoutProvider(gateway: TestGateway): Promise<Call> {
  const fail = () => Promise.reject(new AppError('identity_provider_failed'));
  return {
    ...(await aPayment(gateway)),
    deps: { identity: { ...gateway.deps.identity, findByUid: fail } },
  };
}

async function aRun(gateway: TestGateway): Promise<Call> {
  const { token, real } = await anAdmin(gateway);
  const { body } = await gateway.call('POST', '/admin/payments/reconciliations', {
    token,
    body: {},
  });
  return { token, real: { ...real, [RECONCILIATION_ID]: body.id as string } };
}

async function anAdmin(gateway: TestGateway): Promise<Call> {
  const { token, email } = await signInAdmin(gateway);
  return { token, real: { [ADMIN_EMAIL]: email } };
}

async function toUnknownUser(gateway: TestGateway): Promise<Call> {
  const call = await aPayment(gateway);
  return { ...call, real: { ...call.real, [DEMO_UID]: crypto.randomUUID() } };
}

/** The administrator's payments: lists, details, refunds, reconciliation and granted days. */
export const adminPaymentsSetUps: SetUps = {
  'listPayments.found': aPayment,
  'listPayments.attention': aPayment,
  'summarizePayments.paid': aPayment,

  'readPayment.settled': aPayment,
  'readPayment.payment_not_found': unknown(aPayment),

  'syncPayment.same': aPayment,
  'syncPayment.payment_not_found': unknown(aPayment),
  'syncPayment.payment_provider_failed': withoutStripe,

  'refundPayment.part': aPayment,
  'refundPayment.payment_not_found': unknown(aPayment),
  'refundPayment.payment_not_refundable': refunded(14900),
  'refundPayment.refund_too_large': refunded(10000),

  'requestReconciliation.missed': anAdmin,
  'readReconciliation.waiting': aRun,
  'readReconciliation.not_found': unknown(aRun),

  'countGrantAudience.one': aPayment,
  'grantDays.account': aPayment,
  'grantDays.active': aPayment,
  'grantDays.user_not_found': toUnknownUser,
  'grantDays.identity_provider_failed': withoutProvider,
};
