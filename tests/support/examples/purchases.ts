import { PAYMENT_ID, PAYMENT_INTENT_ID } from '@proveklar/gateway/openapi/examples/values.ts';
import { changeSettings } from '@proveklar/services/settings/change-settings.ts';
import { buyAccess, payWithCard } from '../pay.ts';
import type { TestGateway } from '../gateway.ts';
import { signIn, type Call, type SetUp, type SetUps } from './set-up.ts';

const CONSENT = { consent_version: 'no-2026-11' };

/** A learner who has just bought 30 days and consented to an immediate start. */
async function bought(gateway: TestGateway): Promise<Call & { id: string }> {
  await changeSettings(gateway.deps.db, 'admin@example.no', {
    seller_name: 'Prøveklar AS',
    seller_organisation_number: '923609016',
    seller_address: 'Storgata 1\n0155 Oslo',
    seller_vat_registered: true,
  });
  const { token, real } = await signIn(gateway, 0);
  const id = await buyAccess(gateway, token, CONSENT);
  return { id, token, real: { ...real, [PAYMENT_ID]: id } };
}

/** The learner `days` days after the purchase. */
const later =
  (days: number): SetUp =>
  async (gateway) => {
    const call = await bought(gateway);
    const { db } = gateway.deps;
    await db.query(`update payment set settled_at = settled_at - $1 * interval '1 day'`, [days]);
    await db.query(`update credit set credited_at = credited_at - $1 * interval '1 day'`, [days]);
    return call;
  };

const withdrawn: SetUp = async (gateway) => {
  const { id, ...call } = await bought(gateway);
  const body = { refund_amount: 149_00 };
  await gateway.call('POST', `/account/payments/${id}/withdraw`, { token: call.token!, body });
  return call;
};

const disputed: SetUp = async (gateway) => {
  const call = await bought(gateway);
  await gateway.deps.db.query(`update payment set dispute = 'open'`);
  return call;
};

/** A learner whose bank is still processing the payment. */
const underWay: SetUp = async (gateway) => {
  const { token, real } = await signIn(gateway, 0);
  const intent = await gateway.call('POST', '/payment/create-intent', { token, body: CONSENT });
  const { payment_intent_id } = intent.body as { payment_intent_id: string };
  await payWithCard(gateway, payment_intent_id, 'pm_card_processing');
  await gateway.call('POST', '/payment/confirm', { token, body: { payment_intent_id } });
  return { token, real: { ...real, [PAYMENT_INTENT_ID]: payment_intent_id } };
};

const stranger: SetUp = async (gateway) => {
  const call = await bought(gateway);
  return { ...call, token: (await signIn(gateway)).token };
};

export const purchasesSetUps: SetUps = {
  'listPurchases.bought': bought,
  'listPurchases.nothing': (gateway) => signIn(gateway),
  'listPurchases.under_way': underWay,

  'readReceipt.bought': bought,
  'readReceipt.withdrawn': withdrawn,
  'readReceipt.payment_not_found': stranger,

  'withdrawFromPurchase.withdrawn': bought,
  'withdrawFromPurchase.payment_not_found': stranger,
  'withdrawFromPurchase.payment_not_refundable': disputed,
  'withdrawFromPurchase.withdrawal_changed': later(1),
  'withdrawFromPurchase.withdrawal_over': later(30),
};
