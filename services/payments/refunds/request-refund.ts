import type { Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';
import type { Payment } from '#payments/payment.ts';

export interface RefundWish {
  paymentId: string;
  /** Øre; null for all that is left. */
  amountOre: number | null;
  reason: 'withdrawal' | 'administrator';
  /** The administrator's address; null for a learner. */
  requestedBy: string | null;
  /** The refund's id to be; by default the database's choice. */
  id?: string | undefined;
}

export interface Refund {
  id: string;
  payment_id: string;
  stripe_refund_id: string | null;
  amount_ore: number;
  reason: 'withdrawal' | 'administrator' | 'stripe';
  state: 'requested' | 'pending' | 'succeeded' | 'failed' | 'cancelled';
  attempt: number;
  requested_by: string | null;
  failure: string | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * Notes that money is to be paid back; a worker then makes the refund at Stripe. Refunds of one
 * payment are noted one after another, so that together they are never more than was paid.
 *
 * @throws AppError `payment_not_found`, `payment_not_refundable` (not paid, disputed, or nothing left),
 *   `refund_too_large` (details: `left_ore`)
 */
export async function requestRefund(tx: Transaction, wish: RefundWish): Promise<Refund> {
  const { rows } = await tx.query<Payment>('select * from payment where id = $1 for update', [
    wish.paymentId,
  ]);
  const payment = rows[0];
  if (!payment) throw new AppError('payment_not_found');
  const leftOre = await leftOf(tx, payment);
  const paid = payment.intent_status === 'succeeded';
  const disputed = payment.dispute === 'open' || payment.dispute === 'lost';
  if (!paid || disputed || leftOre <= 0) throw new AppError('payment_not_refundable');
  const amountOre = wish.amountOre ?? leftOre;
  if (amountOre > leftOre) {
    throw new AppError('refund_too_large', { details: { left_ore: leftOre } });
  }
  const inserted = await tx.query<Refund>(
    `insert into refund (id, payment_id, amount_ore, reason, requested_by)
     values (coalesce($5, uuidv7()), $1, $2, $3, $4) returning *`,
    [payment.id, amountOre, wish.reason, wish.requestedBy?.toLowerCase() ?? null, wish.id ?? null],
  );
  const refund = inserted.rows[0]!;
  await emit(tx, 'refund.requested', { refund_id: refund.id });
  await emit(tx, 'payment.changed', { payment_id: payment.id, account_id: payment.account_id });
  return refund;
}

/** Øre that can still be paid back: neither paid back nor about to be. */
async function leftOf(tx: Transaction, payment: Payment): Promise<number> {
  const { rows } = await tx.query<{ requested: number }>(
    `select coalesce(sum(amount_ore), 0)::int as requested from refund
     where payment_id = $1 and state = 'requested'`,
    [payment.id],
  );
  return payment.amount_ore - payment.refunded_ore - rows[0]!.requested;
}

/** A refund by our own id. */
export async function findRefund(
  tx: Pick<Transaction, 'query'>,
  id: string,
): Promise<Refund | null> {
  const { rows } = await tx.query<Refund>('select * from refund where id = $1', [id]);
  return rows[0] ?? null;
}
