import type Stripe from 'stripe';

import { unexpectedState } from '../errors.ts';
import type { Work } from '../work.ts';
import { chargeCard } from './charge-card.ts';
import { failPayment } from './fail-payment.ts';
import { attachedMethod } from './find-intent.ts';

/** What the customer did at the bank. */
export const AUTHENTICATIONS = ['complete', 'fail'] as const;
export type Authentication = (typeof AUTHENTICATIONS)[number];

/**
 * Ends 3D Secure: the card is charged, or the intent wants another payment method.
 * @throws StripeProblem 400 when the intent does not wait for it
 */
export function authenticatePayment(
  work: Work,
  intent: Stripe.PaymentIntent,
  authentication: Authentication,
): Stripe.PaymentIntent {
  if (intent.status !== 'requires_action') {
    throw unexpectedState(
      `This PaymentIntent has a status of ${intent.status} and waits for no authentication.`,
      intent,
    );
  }
  const method = attachedMethod(work, intent);
  if (authentication === 'complete') {
    return chargeCard(work, { ...intent, next_action: null }, method, true);
  }
  return failPayment(work, intent, method, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data ' +
      'or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
  });
}
