import type Stripe from 'stripe';
import { AppError } from '#errors/app-error.ts';
import { noteIntent, type Payment, type PaymentDeps } from './payment.ts';
import { isStripeFailure, isUnexpectedState, stripeError } from '#payments/stripe/stripe-client.ts';

/** What a browser needs to pay. */
export interface IntentAnswer {
  /** Null while the service is free. */
  client_secret: string | null;
  payment_intent_id: string | null;
  /** Øre, including VAT. */
  amount: number;
  service_days: number;
}

type IntentDeps = Pick<PaymentDeps, 'db' | 'stripe'>;

/**
 * The PaymentIntent of a payment, made at Stripe if it is not there yet. The key of the call is the
 * payment's own, so that a second try, or two at once, get the same intent. After a failure inside
 * Stripe the next try has a new key, because Stripe replays that failure to the old one. Should two
 * tries at once make two intents in this way, only the one that is noted is handed out: without
 * the other's secret that one cannot be paid. The same holds for an intent whose payment was
 * cancelled while Stripe made it: the learner deleted their account, say.
 *
 * @throws AppError `payment_cancelled` for such a one, `payment_not_found`, `payment_provider_failed`
 */
export async function intentOf(deps: IntentDeps, payment: Payment): Promise<Stripe.PaymentIntent> {
  if (payment.payment_intent_id) return retrieveIntent(deps, payment.payment_intent_id);
  const intent = await deps.stripe.paymentIntents
    .create(
      {
        amount: payment.amount_ore,
        currency: payment.currency,
        allowed_payment_method_types: ['card'],
        metadata: {
          payment_id: payment.id,
          purpose: payment.purpose,
          service_days: String(payment.service_days),
        },
        ...(payment.email ? { receipt_email: payment.email } : {}),
      },
      { idempotencyKey: `payment-${payment.id}-${payment.attempt}` },
    )
    .catch(async (error: unknown) => {
      if (isStripeFailure(error)) {
        await deps.db.query(
          'update payment set attempt = attempt + 1 where id = $1 and attempt = $2',
          [payment.id, payment.attempt],
        );
      }
      throw stripeError(error);
    });
  const noting = await noteIntent(deps.db, payment.id, intent.id);
  if (noting && noting.noted !== intent.id) return retrieveIntent(deps, noting.noted);
  if (noting?.state === 'cancelled') {
    await cancelIntent(deps, intent.id);
    throw new AppError('payment_cancelled');
  }
  return intent;
}

/**
 * Cancels an intent that can be cancelled.
 *
 * @throws AppError `payment_not_found`, `payment_provider_failed`
 */
export async function cancelIntent(
  { stripe }: Pick<PaymentDeps, 'stripe'>,
  intentId: string,
): Promise<void> {
  await stripe.paymentIntents
    .cancel(intentId, { cancellation_reason: 'abandoned' })
    .catch((error: unknown) => {
      // Paid, or cancelled, or being worked on: what it is now is read next.
      if (!isUnexpectedState(error)) throw stripeError(error);
    });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Our id of the payment that an intent was made for; null for one of something else. */
export function markOf({ metadata }: Stripe.PaymentIntent): string | null {
  const id = metadata.payment_id;
  // What else the same Stripe account sells may be marked by the same name.
  return id && UUID.test(id) ? id : null;
}

/**
 * Reads a PaymentIntent from Stripe.
 *
 * @throws AppError `payment_not_found`, `payment_provider_failed`
 */
export async function retrieveIntent(
  { stripe }: Pick<PaymentDeps, 'stripe'>,
  paymentIntentId: string,
): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(paymentIntentId).catch((error: unknown) => {
    throw stripeError(error);
  });
}

export function toIntentAnswer(payment: Payment, intent: Stripe.PaymentIntent): IntentAnswer {
  if (!intent.client_secret) throw new AppError('payment_provider_failed');
  return {
    client_secret: intent.client_secret,
    payment_intent_id: intent.id,
    amount: payment.amount_ore,
    service_days: payment.service_days,
  };
}
