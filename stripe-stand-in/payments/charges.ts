import type { FastifyInstance } from 'fastify';
import { defineEndpoint } from '../endpoint.ts';
import type { Context } from '../work.ts';
import { resourceMissing } from '../errors.ts';
import { LIST_PARAMS, listPage, ofPayment } from '../params.ts';
import type Stripe from 'stripe';
import { newId, nowInSeconds } from '../ids.ts';
import type { StoredPaymentMethod } from '../store.ts';
import type { Decline } from './test-cards.ts';

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
    run: ({ params }, work) =>
      listPage(work.all('charge'), params, '/v1/charges', ofPayment(params)),
  });
}

/** A new pending charge of `intent` with `method`; `paid()` or `failed()` completes it. */
export function pendingCharge(
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  authenticated: boolean,
): Stripe.Charge {
  const { billing_details } = method.object;
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { ...billing_details, tax_id: null },
    calculated_statement_descriptor: 'PROVEKLAR',
    captured: false,
    created: nowInSeconds(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method, authenticated),
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
    status: 'pending',
    transfer_data: null,
    transfer_group: null,
  };
}

/** The charge after the bank has paid it. */
export function paid(charge: Stripe.Charge): Stripe.Charge {
  const card = charge.payment_method_details?.card;
  return {
    ...charge,
    amount_captured: charge.amount,
    captured: true,
    outcome: outcomeOf('authorized', 'approved_by_network', 'Payment complete.'),
    paid: true,
    ...(card === undefined
      ? {}
      : {
          payment_method_details: {
            card: { ...card, amount_authorized: charge.amount, authorization_code: '123456' },
            type: 'card',
          },
        }),
    status: 'succeeded',
  };
}

/** The charge after the bank has declined it. */
export function failed(charge: Stripe.Charge, decline: Decline): Stripe.Charge {
  return {
    ...charge,
    failure_code: decline.code,
    failure_message: decline.message,
    outcome: {
      ...outcomeOf('issuer_declined', 'declined_by_network', 'The bank gave no details.'),
      reason: decline.decline_code ?? decline.code,
    },
    status: 'failed',
  };
}

function outcomeOf(
  type: string,
  network_status: string,
  seller_message: string,
): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status,
    reason: null,
    risk_level: 'normal',
    risk_score: 20,
    seller_message,
    type,
  };
}

function detailsOf(
  method: StoredPaymentMethod,
  authenticated: boolean,
): Stripe.Charge.PaymentMethodDetails {
  const { type } = method.object;
  if (type === 'card') return { card: cardDetails(method, authenticated), type };
  return { [type]: {}, type };
}

function cardDetails(
  method: StoredPaymentMethod,
  authenticated: boolean,
): Stripe.Charge.PaymentMethodDetails.Card {
  const { card } = method.object;
  return {
    amount_authorized: null,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: card?.checks ?? null,
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 0,
    exp_year: card?.exp_year ?? 0,
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: authenticated ? authentication() : null,
    transaction_link_id: null,
    wallet: (card?.wallet ?? null) as Stripe.Charge.PaymentMethodDetails.Card.Wallet | null,
  };
}

function authentication(): Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure {
  return {
    authentication_flow: 'challenge',
    electronic_commerce_indicator: '05',
    exemption_indicator: null,
    result: 'authenticated',
    result_reason: null,
    transaction_id: null,
    version: '2.2.0',
  };
}
