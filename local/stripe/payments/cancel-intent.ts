import type Stripe from 'stripe';

import type { Call } from '../calls.ts';
import { invalidRequest } from '../errors.ts';
import { nowInSeconds } from '../ids.ts';
import { readText } from '../params.ts';
import type { Work } from '../work.ts';
import { findIntent, requireStatus } from './find-intent.ts';

/** Not a card payment in processing: its bank may already have paid. */
const CANCELABLE = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
];
const CANCELLATION_REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'];

/** @throws StripeProblem 400, 404 */
export function cancelIntent(call: Call, work: Work): Stripe.PaymentIntent {
  const intent = findIntent(call, work);
  requireStatus(intent, 'cancel', 'canceled', CANCELABLE, intent);
  const reason = readText(call.params, 'cancellation_reason');
  if (reason !== null && !CANCELLATION_REASONS.includes(reason)) {
    throw invalidRequest(
      `Invalid cancellation_reason: must be one of ${CANCELLATION_REASONS.join(', ')}`,
      undefined,
      'cancellation_reason',
    );
  }
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    canceled_at: nowInSeconds(),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  };
  work.put('payment_intent', canceled.id, canceled);
  work.emit('payment_intent.canceled', canceled);
  return canceled;
}
