import { nameOf, type Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { findRefund, requestRefund, type Refund } from './request-refund.ts';

export interface RefundOrder {
  paymentId: string;
  /** Øre; null for all that is left. */
  amountOre: number | null;
  /** Kept in the audit log. */
  note: string | null;
  /** Becomes the refund's id: the same order sent again is the same refund. */
  key: string;
  actor: Actor;
}

/**
 * Orders money to be paid back, once for each key; a worker makes the refund at Stripe.
 *
 * @throws AppError those of `requestRefund`; `validation_failed` for a key of another order
 */
export async function refundPayment(db: Database, order: RefundOrder): Promise<Refund> {
  const { paymentId, amountOre, actor } = order;
  return withTransaction(db, async (tx) => {
    // The second of two clicks waits for the first, and then finds what it ordered.
    await tx.query('select from payment where id = $1 for update', [paymentId]);
    const ordered = await findRefund(tx, order.key);
    if (ordered) return sameAs(ordered, order);
    const refund = await requestRefund(tx, {
      paymentId,
      amountOre,
      reason: 'administrator',
      requestedBy: nameOf(actor),
      id: order.key,
    });
    await recordAction(tx, {
      actor,
      action: 'payment.refund_requested',
      subject: paymentId,
      details: { amount: refund.amount_ore / 100, note: order.note },
    });
    return refund;
  });
}

function sameAs(ordered: Refund, { paymentId, amountOre }: RefundOrder): Refund {
  const isSame =
    ordered.payment_id === paymentId && ordered.amount_ore === (amountOre ?? ordered.amount_ore);
  if (isSame) return ordered;
  throw new AppError('validation_failed', {
    message: 'idempotency-key is that of another refund',
    details: { field: 'idempotency-key', part: 'headers' },
  });
}
