import type Stripe from 'stripe';
import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { CancelReason, Payment, PaymentDeps } from './payment.ts';
import { isUnexpectedState, stripeError } from '#payments/stripe/stripe-client.ts';
import { syncPayment } from './sync-payment.ts';

/**
 * Sees to it that an open payment is never made: cancels it at Stripe. One that was paid meanwhile is
 * settled, and one that the bank is still working on stays open.
 *
 * @returns the payment as it is now
 * @throws AppError `payment_provider_failed` and those of `syncPayment`
 */
export async function closePayment(
  deps: PaymentDeps,
  payment: Payment,
  reason: CancelReason,
): Promise<Payment> {
  const { id, payment_intent_id: intentId } = payment;
  // Nobody was ever given the means to pay it.
  if (!intentId) return markCancelled(deps.db, payment, reason);
  // Noted first: whoever hears from Stripe before us must not take it for Stripe's own doing.
  await deps.db.query(
    `update payment set cancel_reason = coalesce(cancel_reason, $2) where id = $1 and state = 'open'`,
    [id, reason],
  );
  try {
    await cancelIntent(deps, intentId);
    return await syncPayment(deps, intentId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'payment_not_found') {
      // Stripe does not know the intent: the key belongs to another account now.
      return markCancelled(deps.db, payment, reason);
    }
    throw error;
  }
}

/** Cancels an intent that can be cancelled. */
async function cancelIntent({ stripe }: PaymentDeps, intentId: string): Promise<void> {
  await stripe.paymentIntents
    .cancel(intentId, {
      cancellation_reason: 'abandoned',
    } satisfies Stripe.PaymentIntentCancelParams)
    .catch((error: unknown) => {
      // Paid, or cancelled, or being worked on: what it is now is read next.
      if (!isUnexpectedState(error)) throw stripeError(error);
    });
}

/** Records that a payment will never be made. A settled one stays settled. */
async function markCancelled(
  db: Queryable,
  payment: Payment,
  reason: CancelReason,
): Promise<Payment> {
  const { rows } = await db.query<Payment>(
    `update payment set state = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = $2,
       revision = revision + 1
     where id = $1 and state = 'open' returning *`,
    [payment.id, reason],
  );
  return rows[0] ?? payment;
}
