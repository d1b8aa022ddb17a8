import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { mailPasswordLink } from '#payments/mail-password-link.ts';
import { findPayment, type PaymentDeps } from '#payments/payment.ts';
import { syncPayment } from '#payments/sync-payment.ts';

/**
 * Compares one payment with Stripe now, because an administrator asked.
 *
 * @throws AppError `payment_not_found` for one that is not ours or that Stripe never heard of,
 *   `payment_provider_failed`, `identity_provider_failed`
 */
export async function resyncPayment(
  deps: PaymentDeps,
  { paymentId, actor }: { paymentId: string; actor: Actor },
): Promise<void> {
  const payment = await findPayment(deps.db, paymentId);
  if (!payment?.payment_intent_id) throw new AppError('payment_not_found');
  // First: what Stripe says is written in transactions of its own.
  await withTransaction(deps.db, (tx) =>
    recordAction(tx, { actor, action: 'payment.synced', subject: paymentId }),
  );
  try {
    const synced = await syncPayment(deps, payment.payment_intent_id);
    if (payment.state !== 'settled') await mailPasswordLink(deps, synced);
  } catch (error) {
    // Noted with the payment, which is what was asked for.
    if (!(error instanceof AppError) || error.code !== 'email_refused') throw error;
  }
}
