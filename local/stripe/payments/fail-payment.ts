import type Stripe from 'stripe';

import { StripeProblem, docUrl } from '../errors.ts';
import type { StoredPaymentMethod } from '../kept.ts';
import type { Work } from '../work.ts';

type Reason = Pick<Stripe.PaymentIntent.LastPaymentError, 'charge' | 'decline_code'> & {
  type: 'card_error' | 'invalid_request_error';
  code: string;
  message: string;
};

/** The intent wants another payment method, and says why. */
export function failPayment(
  work: Work,
  intent: Stripe.PaymentIntent,
  method: StoredPaymentMethod,
  reason: Reason,
): Stripe.PaymentIntent {
  const failed: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: {
      ...reason,
      doc_url: docUrl(reason.code),
      payment_method: method.object,
    },
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  };
  work.put('payment_intent', failed.id, failed);
  work.emit('payment_intent.payment_failed', failed);
  return failed;
}

/**
 * What a confirmation answers: the intent, unless its card was declined.
 * @param shown the part of the intent that the caller may see
 * @throws StripeProblem 402 `card_error`; what happened is still kept
 */
export function orDeclined(intent: Stripe.PaymentIntent, shown: object): object {
  const { last_payment_error: error, status } = intent;
  if (status !== 'requires_payment_method' || error === null) return shown;
  const { message = '', type: _type, ...fields } = error;
  throw new StripeProblem(
    402,
    { ...(fields as object), type: 'card_error', message, payment_intent: shown },
    true,
  );
}
