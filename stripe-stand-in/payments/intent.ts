import type Stripe from 'stripe';
import { invalidRequest, resourceMissing, unexpectedState } from '../errors.ts';
import { newId, nowInSeconds, randomText } from '../ids.ts';
import {
  mergeMetadata,
  type Params,
  readBoolean,
  readObject,
  readText,
  readTexts,
  requireInteger,
  requireText,
} from '../params.ts';
import type { KeyKind } from '../api-keys.ts';
import type { Call } from '../endpoint.ts';
import type { StoredPaymentMethod } from '../store.ts';
import type { Work } from '../work.ts';

/** The smallest charge in minor units. Source: https://docs.stripe.com/currencies */
const SMALLEST: Record<string, number> = { dkk: 250, eur: 50, nok: 300, sek: 300, usd: 50 };
const MAX_AMOUNT = 99_999_999;

/** A new, unpaid PaymentIntent from the parameters of its creation. */
export function newPaymentIntent(params: Params): Stripe.PaymentIntent {
  const id = newId('pi');
  const allowed = readTexts(params, 'allowed_payment_method_types');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: allowed,
    ...readMoney(params),
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: readAutomatic(params, allowed),
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: nowInSeconds(),
    customer: null,
    customer_account: null,
    description: readText(params, 'description'),
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: mergeMetadata({}, params),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: { card: cardOptions() },
    payment_method_types: allowed ?? ['card'],
    payment_record: null,
    processing: null,
    receipt_email: readText(params, 'receipt_email'),
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: readText(params, 'statement_descriptor_suffix'),
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

/** Removed in API version 2026-09-30.endive; replaced by `allowed_payment_method_types`. */
export function refusePaymentMethodTypes(params: Params): void {
  if (params.payment_method_types === undefined) return;
  throw invalidRequest(
    'The `payment_method_types` parameter is no longer supported. Use ' +
      '`allowed_payment_method_types` instead.',
    'payment_method_types_no_longer_supported',
    'payment_method_types',
  );
}

/** Reads an amount in minor units, and checks that its currency allows it. @throws StripeProblem 400 */
export function readMoney(params: Params): { amount: number; currency: string } {
  const amount = requireInteger(params, 'amount');
  const currency = readCurrency(params);
  if (amount < 1) {
    throw invalidRequest(
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
      'amount',
    );
  }
  const smallest = SMALLEST[currency] ?? 50;
  if (amount < smallest) {
    const least = `${(smallest / 100).toFixed(2)} ${currency}`;
    throw invalidRequest(`Amount must be at least ${least}`, 'amount_too_small', 'amount');
  }
  if (amount > MAX_AMOUNT) {
    throw invalidRequest(
      `Amount must be no more than ${(MAX_AMOUNT / 100).toFixed(2)} ${currency}`,
      'amount_too_large',
      'amount',
    );
  }
  return { amount, currency };
}

function readCurrency(params: Params): string {
  const currency = requireText(params, 'currency').toLowerCase();
  if (/^[a-z]{3}$/.test(currency)) return currency;
  throw invalidRequest(`Invalid currency: ${currency}.`, undefined, 'currency');
}

function readAutomatic(
  params: Params,
  allowed: string[] | null,
): Stripe.PaymentIntent.AutomaticPaymentMethods | null {
  const automatic = readObject(params, 'automatic_payment_methods');
  if (automatic !== null && allowed !== null) {
    throw invalidRequest(
      'You may only specify one of these parameters: automatic_payment_methods, ' +
        'allowed_payment_method_types.',
    );
  }
  if (allowed !== null) return null;
  const enabled = automatic === null ? true : (readBoolean(automatic, 'enabled') ?? true);
  return { allow_redirects: 'always', enabled };
}

function cardOptions(): Stripe.PaymentIntent.PaymentMethodOptions.Card {
  return {
    installments: null,
    mandate_options: null,
    network: null,
    request_three_d_secure: 'automatic',
  };
}

/**
 * Finds the intent of a call. The browser must also send its client secret.
 * @throws StripeProblem 404, or 400 for the wrong secret
 */
export function findIntent(
  call: Omit<Call, 'origin'>,
  work: Pick<Work, 'get'>,
): Stripe.PaymentIntent {
  const intent = work.get('payment_intent', call.id);
  if (intent === undefined) throw resourceMissing('payment_intent', call.id, 'intent');
  const secret =
    call.keyKind === 'secret'
      ? readText(call.params, 'client_secret')
      : requireText(call.params, 'client_secret');
  if (secret !== null && secret !== intent.client_secret) {
    throw invalidRequest(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      'payment_intent_invalid_parameter',
      'client_secret',
    );
  }
  return intent;
}

/** The part of an intent that a publishable key sees: without metadata and charge. */
export function visibleTo(keyKind: KeyKind, intent: Stripe.PaymentIntent): object {
  if (keyKind === 'secret') return intent;
  return {
    id: intent.id,
    object: intent.object,
    amount: intent.amount,
    automatic_payment_methods: intent.automatic_payment_methods,
    canceled_at: intent.canceled_at,
    cancellation_reason: intent.cancellation_reason,
    capture_method: intent.capture_method,
    client_secret: intent.client_secret,
    confirmation_method: intent.confirmation_method,
    created: intent.created,
    currency: intent.currency,
    description: intent.description,
    last_payment_error: intent.last_payment_error,
    livemode: intent.livemode,
    next_action: intent.next_action,
    payment_method: intent.payment_method,
    payment_method_types: intent.payment_method_types,
    processing: intent.processing,
    receipt_email: intent.receipt_email,
    setup_future_usage: intent.setup_future_usage,
    shipping: intent.shipping,
    status: intent.status,
  };
}

/** The payment method of a confirmed intent. */
export function attachedMethod(work: Work, intent: Stripe.PaymentIntent): StoredPaymentMethod {
  const { payment_method: id } = intent;
  const method = typeof id === 'string' ? work.get('payment_method', id) : undefined;
  if (method === undefined) throw new Error(`${intent.id} has no payment method`);
  return method;
}

/** The last charge of an intent. */
export function latestCharge(work: Work, intent: Stripe.PaymentIntent): Stripe.Charge | undefined {
  const { latest_charge: id } = intent;
  return typeof id === 'string' ? work.get('charge', id) : undefined;
}

/** @throws StripeProblem 400 when the intent has none of these statuses */
export function requireStatus(
  intent: Stripe.PaymentIntent,
  verb: string,
  participle: string,
  statuses: readonly string[],
  shown: object,
): void {
  if (statuses.includes(intent.status)) return;
  throw unexpectedState(
    `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}. ` +
      'Only a PaymentIntent with one of the following statuses may be ' +
      `${participle}: ${statuses.join(', ')}.`,
    shown,
  );
}
