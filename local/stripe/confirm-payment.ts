import type Stripe from 'stripe';

import { CARD_OUTCOMES } from './cards.ts';
import type { Decline } from './cards.ts';
import { chargeOf } from './charges.ts';
import { StripeProblem, docUrl } from './errors.ts';
import type { StoredPaymentMethod } from './kept.ts';
import type { Work } from './work.ts';

/**
 * Charges the card for the intent: the intent succeeds and points to its charge, or it wants
 * another payment method and says why.
 * @param visible the part of an intent that the caller may see, for the error that embeds it
 * @throws StripeProblem 402 `card_error` when the card is declined; what happened is still kept
 */
export function confirmPayment(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  visible: (intent: Stripe.PaymentIntent) => object,
): Stripe.PaymentIntent {
  const charge = chargeOf(intent, method);
  const decline = CARD_OUTCOMES[method.outcome];
  work.put('charge', charge.id, charge);
  if (decline !== null) throw decided(work, intent, method, charge, decline, visible);

  const succeeded: Stripe.PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: method.id,
    status: 'succeeded',
  };
  work.put('payment_intent', succeeded.id, succeeded);
  work.emit('charge.succeeded', charge);
  work.emit('payment_intent.succeeded', succeeded);
  return succeeded;
}

function decided(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  charge: Stripe.Charge,
  decline: Decline,
  visible: (intent: Stripe.PaymentIntent) => object,
): StripeProblem {
  const fields = {
    type: 'card_error' as const,
    ...decline,
    charge: charge.id,
    doc_url: docUrl(decline.code),
    payment_method: method.object,
  };
  const failed: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: fields,
    latest_charge: charge.id,
    payment_method: null,
    status: 'requires_payment_method',
  };
  work.put('payment_intent', failed.id, failed);
  work.emit('charge.failed', charge);
  work.emit('payment_intent.payment_failed', failed);
  return new StripeProblem(402, { ...fields, payment_intent: visible(failed) }, true);
}
