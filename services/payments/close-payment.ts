import type { CancelReason } from '@proveklar/contract/admin-payments.ts';
import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { syncPayment } from './books/sync-payment.ts';
import { findPayment, findPaymentByIntent, type Payment, type PaymentDeps } from './payment.ts';
import { cancelIntent, retrieveIntent } from './provider/stripe.ts';

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

/**
 * Cancels a payment that its learner does not want to make after all. A caller with its client secret
 * may: so may a registration, for which no user is signed in.
 *
 * @throws AppError `payment_not_found`, also for a wrong secret; `payment_completed` when it was paid
 *   or is being paid; `payment_provider_failed`
 */
export async function cancelPayment(
  deps: PaymentDeps,
  paymentIntentId: string,
  clientSecret: string,
): Promise<void> {
  const payment = await findPaymentByIntent(deps.db, paymentIntentId);
  if (!payment) throw new AppError('payment_not_found');
  const intent = await retrieveIntent(deps, paymentIntentId);
  if (intent.client_secret !== clientSecret) throw new AppError('payment_not_found');
  const { state } = await closePayment(deps, payment, 'learner');
  if (state !== 'cancelled') throw new AppError('payment_completed');
}

/** Cancels a payment for which too many cards were declined: somebody is trying out stolen ones. */
export async function closeDeclinedPayment(deps: PaymentDeps, payment: Payment): Promise<void> {
  if (payment.state !== 'open') return;
  const { rows } = await deps.db.query<{ declines: number }>(
    'select count(*)::int as declines from card_decline where payment_id = $1',
    [payment.id],
  );
  if (rows[0]!.declines >= deps.limits.declines) await closePayment(deps, payment, 'declined');
}

/**
 * Cancels the payment for more service that an account has begun, if any, so that nobody pays for an
 * account that is no more. One that was paid meanwhile is settled.
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
