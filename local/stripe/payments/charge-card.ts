import type Stripe from 'stripe';

import type { StoredPaymentMethod } from '../kept.ts';
import type { Work } from '../work.ts';
import { CARD_OUTCOMES } from './cards.ts';
import type { Decline } from './cards.ts';
import { disputeCharge } from './dispute-charge.ts';
import { failPayment } from './fail-payment.ts';
import { failed, paid, pendingCharge } from './new-charge.ts';

/** Charges the card for the intent: it succeeds, fails, or is in processing for now. */
export function chargeCard(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  authenticated: boolean,
): Stripe.PaymentIntent {
  const charge = pendingCharge(intent, method, authenticated);
  if (method.processes !== true) {
    return endCharge(work, intent, method, charge, CARD_OUTCOMES[method.outcome]);
  }

  const processing: Stripe.PaymentIntent = {
    ...intent,
    latest_charge: charge.id,
    payment_method: method.id,
    status: 'processing',
  };
  work.put('charge', charge.id, charge);
  work.put('payment_intent', processing.id, processing);
  work.emit('charge.pending', charge);
  work.emit('payment_intent.processing', processing);
  return processing;
}

/** Ends a pending charge, and with it the payment: paid when there is no `decline`. */
export function endCharge(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  pending: Stripe.Charge,
  decline: Decline | null,
): Stripe.PaymentIntent {
  if (decline !== null) {
    const charge = failed(pending, decline);
    work.put('charge', charge.id, charge);
    work.emit('charge.failed', charge);
    const reason = { type: 'card_error' as const, ...decline, charge: charge.id };
    return failPayment(work, { ...intent, latest_charge: charge.id }, method, reason);
  }

  const charge = paid(pending);
  const succeeded: Stripe.PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: method.id,
    status: 'succeeded',
  };
  work.put('charge', charge.id, charge);
  work.put('payment_intent', succeeded.id, succeeded);
  work.emit('charge.succeeded', charge);
  work.emit('payment_intent.succeeded', succeeded);
  if (method.disputed !== undefined) disputeCharge(work, charge, method.disputed, charge.amount);
  return succeeded;
}
