import type { CancelReason } from '@proveklar/contract/admin-payments.ts';
import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { syncPayment } from './books/sync-payment.ts';
import { findPayment, type Payment, type PaymentDeps } from './payment.ts';
import { cancelIntent, findOwnedPayment } from './provider/stripe.ts';

/**
 * Cancels an open payment at Stripe. A payment that was paid meanwhile is settled, and one that the
 * bank is still processing stays open.
 *
 * @returns the updated payment
 * @throws AppError `payment_provider_failed` and those of `syncPayment`
 */
export async function closePayment(
  deps: PaymentDeps,
  payment: Payment,
  reason: CancelReason,
): Promise<Payment> {
  const { id, payment_intent_id: intentId } = payment;
  if (!intentId) {
    // The learner never got its intent, unless the intent's id is being stored at this moment.
    const cancelled = await markCancelled(deps.db, payment, reason);
    if (cancelled.state !== 'open' || !cancelled.payment_intent_id) return cancelled;
    return closePayment(deps, cancelled, reason);
  }
  // Stored first, so that a concurrent webhook does not take it for a cancellation by Stripe.
  await deps.db.query(
    `update payment set cancel_reason = coalesce(cancel_reason, $2) where id = $1 and state = 'open'`,
    [id, reason],
  );
  try {
    await cancelIntent(deps, intentId);
    return await syncPayment(deps, intentId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'payment_not_found') {
      // Stripe does not know the intent: our key now belongs to another Stripe account.
      return markCancelled(deps.db, payment, reason);
    }
    throw error;
  }
}

/**
 * Records a cancellation. Changes nothing when the payment is settled, or has another intent than the
 * caller read.
 *
 * @returns the current payment
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

/**
 * Cancels a payment for its learner. The client secret authorizes the caller, because the learner of a
 * registration is not signed in.
 *
 * @throws AppError `payment_not_found`, also for a wrong secret; `payment_completed` when it was paid
 *   or is being processed; `payment_provider_failed`
 */
export async function cancelPayment(
  deps: PaymentDeps,
  paymentIntentId: string,
  clientSecret: string,
): Promise<void> {
  const payment = await findOwnedPayment(deps, paymentIntentId, clientSecret);
  const { state } = await closePayment(deps, payment, 'learner');
  if (state !== 'cancelled') throw new AppError('payment_completed');
}

/** Cancels a payment with too many declined cards, a sign of card testing with stolen cards. */
export async function closeDeclinedPayment(deps: PaymentDeps, payment: Payment): Promise<void> {
  if (payment.state !== 'open') return;
  const { rows } = await deps.db.query<{ declines: number }>(
    'select count(*)::int as declines from card_decline where payment_id = $1',
    [payment.id],
  );
  if (rows[0]!.declines >= deps.limits.declines) await closePayment(deps, payment, 'declined');
}

/**
 * Cancels an account's open payment for more service, if any, because the account ends. A payment that
 * was paid meanwhile is settled.
 *
 * @throws AppError `payment_provider_failed`
 */
export async function closeOpenPayment(deps: PaymentDeps, accountId: string): Promise<void> {
  const { rows } = await deps.db.query<Payment>(
    `select * from payment where account_id = $1 and state = 'open' and purpose = 'extension'`,
    [accountId],
  );
  for (const payment of rows) await closePayment(deps, payment, 'account_closed');
}
