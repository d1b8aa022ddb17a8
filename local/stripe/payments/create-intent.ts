import type { Call } from '../calls.ts';
import { invalidRequest } from '../errors.ts';
import { readBoolean, readText } from '../params.ts';
import type { Work } from '../work.ts';
import { attemptPayment } from './attempt-payment.ts';
import { attemptOf } from './confirm-intent.ts';
import { orDeclined } from './fail-payment.ts';
import { newPaymentIntent, refusePaymentMethodTypes } from './new-payment-intent.ts';
import { findPaymentMethod } from './payment-methods.ts';

/** The last four are for confirming at once, or are refused. */
export const CREATE_PARAMS = [
  'allowed_payment_method_types',
  'amount',
  'automatic_payment_methods',
  'currency',
  'description',
  'metadata',
  'payment_method',
  'receipt_email',
  'statement_descriptor_suffix',
  'confirm',
  'return_url',
  'use_stripe_sdk',
  'payment_method_types',
];

/** @throws StripeProblem 400, and 402 when it is confirmed at once and the card is declined */
export function createIntent({ params, origin }: Call, work: Work): object {
  refusePaymentMethodTypes(params);
  const methodId = readText(params, 'payment_method');
  const confirm = readBoolean(params, 'confirm') === true;
  if (confirm && methodId === null) {
    throw invalidRequest(
      'You must provide a payment method to create and confirm a PaymentIntent.',
      'parameter_missing',
      'payment_method',
    );
  }
  const method = methodId === null ? null : findPaymentMethod(methodId, work, 'payment_method');
  const created = newPaymentIntent(params);
  const intent =
    method === null
      ? created
      : { ...created, status: 'requires_confirmation', payment_method: method.id };
  work.put('payment_intent', intent.id, intent);
  work.emit('payment_intent.created', intent);
  if (!confirm || method === null) return intent;
  const tried = attemptPayment(work, intent, method, attemptOf(params, origin));
  return orDeclined(tried, tried);
}
