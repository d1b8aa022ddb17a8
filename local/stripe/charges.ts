import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';

import { CARD_OUTCOMES } from './cards.ts';
import { defineEndpoint } from './endpoint.ts';
import type { Context } from './endpoint.ts';
import { resourceMissing } from './errors.ts';
import { newId, nowInSeconds } from './ids.ts';
import type { StoredPaymentMethod } from './kept.ts';
import { LIST_PARAMS, listPage } from './lists.ts';
import { readText } from './params.ts';

export function registerCharges(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/charges/:id',
    params: [],
    run({ id }, work) {
      const charge = work.get('charge', id);
      if (charge === undefined) throw resourceMissing('charge', id, 'id');
      return charge;
    },
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/charges',
    params: [...LIST_PARAMS, 'payment_intent'],
    run({ params }, work) {
      const intent = readText(params, 'payment_intent');
      const charges = work.all('charge');
      const wanted = charges.filter((it) => intent === null || it.payment_intent === intent);
      return listPage(wanted, params, '/v1/charges', 'charge');
    },
  });
}

/** The charge that confirming `intent` with `method` makes: paid, or failed and saying why. */
export function chargeOf(intent: Stripe.PaymentIntent, method: StoredPaymentMethod): Stripe.Charge {
  const decline = CARD_OUTCOMES[method.outcome];
  const paid = decline === null;
  const reason = decline !== null && 'decline_code' in decline ? decline.decline_code : null;
  const { billing_details } = method.object;
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? newId('txn') : null,
    billing_details: { ...billing_details, tax_id: null },
    calculated_statement_descriptor: 'PROVEKLAR',
    captured: paid,
    created: nowInSeconds(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: paid ? null : (reason ?? decline.code),
      risk_level: 'normal',
      risk_score: 20,
      seller_message: paid ? 'Payment complete.' : 'The bank did not return any further details.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: cardDetails(method, intent.amount, paid), type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
}

function cardDetails(
  method: StoredPaymentMethod,
  amount: number,
  paid: boolean,
): Stripe.Charge.PaymentMethodDetails.Card {
  const { card } = method.object;
  return {
    amount_authorized: paid ? amount : null,
    authorization_code: paid ? '123456' : null,
    brand: card?.brand ?? null,
    checks: card?.checks ?? null,
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 0,
    exp_year: card?.exp_year ?? 0,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  };
}
