import type Stripe from 'stripe';

import { invalidRequest } from '../errors.ts';
import { newId, nowInSeconds, randomText } from '../ids.ts';
import {
  mergeMetadata,
  readBoolean,
  readObject,
  readText,
  readTexts,
  requireInteger,
  requireText,
} from '../params.ts';
import type { Params } from '../params.ts';

/** The smallest charge in minor units. Source: https://docs.stripe.com/currencies */
const SMALLEST: Record<string, number> = { dkk: 250, eur: 50, nok: 300, sek: 300, usd: 50 };
const LARGEST = 99_999_999;

/** A PaymentIntent that nobody has tried to pay yet, from the parameters of its creation. */
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

/** Gone since API version 2026-09-30.endive; `allowed_payment_method_types` takes its place. */
export function refusePaymentMethodTypes(params: Params): void {
  if (params.payment_method_types === undefined) return;
  throw invalidRequest(
    'The `payment_method_types` parameter is no longer supported. Use ' +
      '`allowed_payment_method_types` instead.',
    'payment_method_types_no_longer_supported',
    'payment_method_types',
  );
}

/** An amount in minor units that can be charged in its currency. @throws StripeProblem 400 */
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
  if (amount > LARGEST) {
    throw invalidRequest(
      `Amount must be no more than ${(LARGEST / 100).toFixed(2)} ${currency}`,
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
