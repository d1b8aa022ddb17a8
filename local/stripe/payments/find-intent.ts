import type Stripe from 'stripe';

import type { KeyKind } from '../api-keys.ts';
import type { Call } from '../calls.ts';
import { invalidRequest, resourceMissing, unexpectedState } from '../errors.ts';
import type { StoredPaymentMethod } from '../kept.ts';
import { readText, requireText } from '../params.ts';
import type { Work } from '../work.ts';

/**
 * The intent that a call names. The browser must also know its client secret.
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

/** What a publishable key sees of an intent: no metadata, no charge. */
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

/** The payment method of an intent that was confirmed. */
export function attachedMethod(work: Work, intent: Stripe.PaymentIntent): StoredPaymentMethod {
  const { payment_method: id } = intent;
  const method = typeof id === 'string' ? work.get('payment_method', id) : undefined;
  if (method === undefined) throw new Error(`${intent.id} has no payment method`);
  return method;
}

/** The last charge that was tried for an intent. */
export function latestCharge(work: Work, intent: Stripe.PaymentIntent): Stripe.Charge | undefined {
  const { latest_charge: id } = intent;
  return typeof id === 'string' ? work.get('charge', id) : undefined;
}

/** @throws StripeProblem 400 when the status of the intent is none of these */
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
