import type Stripe from 'stripe';

import type { Call } from '../calls.ts';
import { unexpectedState } from '../errors.ts';
import type { StripeProblem } from '../errors.ts';
import type { StoredPaymentMethod } from '../kept.ts';
import { readBoolean, readObject, readText } from '../params.ts';
import type { Params } from '../params.ts';
import type { Work } from '../work.ts';
import { attemptPayment } from './attempt-payment.ts';
import type { Attempt } from './attempt-payment.ts';
import { orDeclined } from './fail-payment.ts';
import { findIntent, requireStatus, visibleTo } from './find-intent.ts';
import { refusePaymentMethodTypes } from './new-payment-intent.ts';
import { createPaymentMethod, findPaymentMethod } from './payment-methods.ts';

/** The last is refused. */
export const CONFIRM_PARAMS = [
  'client_secret',
  'payment_method',
  'payment_method_data',
  'receipt_email',
  'return_url',
  'expected_payment_method_type',
  'use_stripe_sdk',
  'payment_method_types',
];
const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** @throws StripeProblem 400, 404, and 402 when the card is declined */
export function confirmIntent(call: Call, work: Work): object {
  const { keyKind, params, origin } = call;
  refusePaymentMethodTypes(params);
  const intent = findIntent(call, work);
  const shown = visibleTo(keyKind, intent);
  if (intent.status === 'succeeded') {
    throw unexpectedState(
      'You cannot confirm this PaymentIntent because it has already succeeded after being ' +
        'previously confirmed.',
      shown,
    );
  }
  requireStatus(intent, 'confirm', 'confirmed', CONFIRMABLE, shown);
  const email = readText(params, 'receipt_email') ?? intent.receipt_email;
  const method = methodFor(params, intent, work);
  if (method === null) throw methodMissing(shown);
  const confirmed = { ...intent, receipt_email: email };
  const tried = attemptPayment(work, confirmed, method, attemptOf(params, origin));
  return orDeclined(tried, visibleTo(keyKind, tried));
}

/** How the caller of a confirmation wants the customer to authenticate. */
export function attemptOf(params: Params, origin: string): Attempt {
  return {
    origin,
    returnUrl: readText(params, 'return_url'),
    useStripeSdk: readBoolean(params, 'use_stripe_sdk') === true,
  };
}

function methodFor(
  params: Params,
  intent: Stripe.PaymentIntent,
  work: Work,
): StoredPaymentMethod | null {
  const data = readObject(params, 'payment_method_data');
  if (data !== null) return createPaymentMethod(data, work);
  const attached = typeof intent.payment_method === 'string' ? intent.payment_method : null;
  const id = readText(params, 'payment_method') ?? attached;
  return id === null ? null : findPaymentMethod(id, work, 'payment_method');
}

function methodMissing(shown: object): StripeProblem {
  return unexpectedState(
    'You cannot confirm this PaymentIntent because it is missing a payment method. To confirm the ' +
      'PaymentIntent with a payment method, specify a payment method attached to a customer along ' +
      "with the customer's ID, or provide one with `payment_method` or `payment_method_data`.",
    shown,
  );
}
