import type Stripe from 'stripe';

import { newId } from '../ids.ts';
import type { StoredPaymentMethod } from '../kept.ts';
import type { Work } from '../work.ts';
import { chargeCard } from './charge-card.ts';

/** How whoever confirms can let the customer authenticate. */
export type Attempt = {
  /** The stand-in's own address, where its bank can be reached. */
  origin: string;
  returnUrl: string | null;
  /** Stripe.js asks for an action that it handles itself. */
  useStripeSdk: boolean;
};

/**
 * Tries to pay the intent with a card. What came of it is in the answer's status: `succeeded`,
 * `requires_action`, `processing`, or `requires_payment_method` with `last_payment_error`.
 */
export function attemptPayment(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  attempt: Attempt,
): Stripe.PaymentIntent {
  const begun = { ...intent, last_payment_error: null, next_action: null };
  if (method.authenticates !== true) return chargeCard(work, begun, method, false);

  const waiting: Stripe.PaymentIntent = {
    ...begun,
    next_action: nextAction(intent, attempt),
    payment_method: method.id,
    status: 'requires_action',
  };
  work.put('payment_intent', waiting.id, waiting);
  work.emit('payment_intent.requires_action', waiting);
  return waiting;
}

/** Source: https://docs.stripe.com/api/payment_intents/object#payment_intent_object-next_action */
function nextAction(
  intent: Stripe.PaymentIntent,
  { origin, returnUrl, useStripeSdk }: Attempt,
): Stripe.PaymentIntent.NextAction {
  const secret = String(intent.client_secret);
  const url = `${origin}/three-d-secure/${intent.id}?client_secret=${secret}`;
  if (returnUrl !== null && !useStripeSdk) {
    return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } };
  }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: newId('src') },
  };
}
