import type Stripe from 'stripe';

import type { Call } from '../calls.ts';
import { unexpectedState } from '../errors.ts';
import { mergeMetadata, readText } from '../params.ts';
import type { Params } from '../params.ts';
import type { Work } from '../work.ts';
import { findIntent } from './find-intent.ts';
import { readMoney, refusePaymentMethodTypes } from './new-payment-intent.ts';
import { findPaymentMethod } from './payment-methods.ts';

/** The last is refused. */
export const UPDATE_PARAMS = [
  'amount',
  'currency',
  'description',
  'metadata',
  'payment_method',
  'receipt_email',
  'statement_descriptor_suffix',
  'payment_method_types',
];
const TEXTS = ['description', 'receipt_email', 'statement_descriptor_suffix'];
/** What is being paid, and how, stands once it is on its way. */
const UNTIL_PAID = ['amount', 'currency', 'payment_method'];
const UNPAID = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** There is no event for it, as at Stripe. @throws StripeProblem 400, 404 */
export function updateIntent(call: Call, work: Work): Stripe.PaymentIntent {
  const { params } = call;
  refusePaymentMethodTypes(params);
  const intent = findIntent(call, work);
  const late = UNTIL_PAID.find((name) => params[name] !== undefined);
  if (late !== undefined && !UNPAID.includes(intent.status)) throw tooLate(intent, late);

  const id = readText(params, 'payment_method');
  const method = id === null ? null : findPaymentMethod(id, work, 'payment_method').id;
  const updated: Stripe.PaymentIntent = {
    ...intent,
    ...readMoney({ amount: String(intent.amount), currency: intent.currency, ...params }),
    ...textsOf(params),
    last_payment_error: null,
    metadata: mergeMetadata(intent.metadata, params),
    ...(method === null ? {} : { payment_method: method }),
    // Whoever was authenticating did so for something else.
    ...(late === undefined ? {} : { next_action: null, status: statusOf(intent, method) }),
  };
  work.put('payment_intent', updated.id, updated);
  return updated;
}

function statusOf(intent: Stripe.PaymentIntent, method: string | null): string {
  return method === null && intent.payment_method === null
    ? 'requires_payment_method'
    : 'requires_confirmation';
}

function textsOf(params: Params): Record<string, string | null> {
  const given = TEXTS.filter((name) => params[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, readText(params, name)]));
}

function tooLate(intent: Stripe.PaymentIntent, param: string) {
  return unexpectedState(
    `This PaymentIntent's ${param} could not be updated because it has a status of ` +
      `${intent.status}. You may only update the ${param} of a PaymentIntent with one of the ` +
      `following statuses: ${UNPAID.join(', ')}.`,
    intent,
  );
}
