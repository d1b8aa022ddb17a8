import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { findPayment, type CancelReason, type Payment, type PaymentDeps } from './payment.ts';
import { cancelIntent } from './payment-intent.ts';
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
  if (!intentId) {
    // It was never handed out to be paid; unless its intent is noted at this moment.
    const cancelled = await markCancelled(deps.db, payment, reason);
    if (cancelled.state !== 'open' || !cancelled.payment_intent_id) return cancelled;
    return closePayment(deps, cancelled, reason);
  }
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

/**
 * Records that a payment will never be made. A settled one stays settled, and one whose intent is not
 * the one that the caller knows of stays as it is.
 *
 * @returns the payment as it is now
 */
async function markCancelled(
  db: Queryable,
  payment: Payment,
  reason: CancelReason,
): Promise<Payment> {
  const { rows } = await db.query<Payment>(
    `update payment set state = 'cancelled', cancelled_at = clock_timestamp(), cancel_reason = $2,
       revision = revision + 1
     where id = $1 and state = 'open' and payment_intent_id is not distinct from $3 returning *`,
    [payment.id, reason, payment.payment_intent_id],
  );
  return rows[0] ?? (await findPayment(db, payment.id)) ?? payment;
}
