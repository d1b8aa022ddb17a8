import type Stripe from 'stripe';
import type { Transaction } from '#database/pool.ts';
import { emit } from '#events/emit.ts';
import type { Payment } from '#payments/payment.ts';
import type { StripeState } from '#payments/provider/payment-intent.ts';

/** Stripe's word for how far a refund is, in ours. */
export function refundStateOf(
  status: Stripe.Refund['status'],
): 'succeeded' | 'failed' | 'cancelled' | 'pending' {
  if (status === 'succeeded' || status === 'failed') return status;
  return status === 'canceled' ? 'cancelled' : 'pending';
}

/**
 * Days that a payment's refunds and disputes take back: an open or lost dispute all of them, refunds
 * a share, rounded down.
 */
export function daysTakenBack({
  service_days: days,
  amount_ore,
  refunded_ore,
  dispute,
}: Pick<Payment, 'service_days' | 'amount_ore' | 'refunded_ore' | 'dispute'>): number {
  if (dispute === 'open' || dispute === 'lost') return days;
  return Math.floor((days * refunded_ore) / amount_ore);
}

/** Writes down what became of a payment's refunds and disputes. Returns whether that was new. */
export async function recordReversals(
  tx: Transaction,
  payment: Payment,
  { refunds, disputes }: StripeState,
): Promise<boolean> {
  let isNew = false;
  for (const refund of refunds) isNew = (await recordRefund(tx, payment, refund)) || isNew;
  for (const dispute of disputes) isNew = (await recordDispute(tx, payment, dispute)) || isNew;
  return isNew;
}

async function recordRefund(
  tx: Transaction,
  { id }: Payment,
  refund: Stripe.Refund,
): Promise<boolean> {
  const state = refundStateOf(refund.status);
  const ours = refund.metadata?.refund_id ?? null;
  const known = await tx.query<{ id: string; state: string; reason: string }>(
    `select id, state, reason from refund
     where payment_id = $1 and (stripe_refund_id = $2 or id::text = $3)`,
    [id, refund.id, ours],
  );
  const before = known.rows[0];
  if (before?.state === state) return false;
  const failure = refund.failure_reason ?? null;
  const { rows } = await tx.query<{ id: string; reason: string }>(
    before
      ? `update refund set stripe_refund_id = $2, state = $3, failure = $4,
           updated_at = clock_timestamp()
         where id = $1 returning id, reason`
      : `insert into refund (payment_id, stripe_refund_id, state, failure, amount_ore, reason)
         values ($1, $2, $3, $4, $5, 'stripe') returning id, reason`,
    before
      ? [before.id, refund.id, state, failure]
      : [id, refund.id, state, failure, refund.amount],
  );
  const { id: refundId, reason } = rows[0]!;
  // Who withdrew has been told already, when they did.
  if (state === 'succeeded' && reason !== 'withdrawal') {
    await emit(tx, 'payment.refunded', { refund_id: refundId });
  }
  return true;
}

async function recordDispute(
  tx: Transaction,
  { id }: Payment,
  dispute: Stripe.Dispute,
): Promise<boolean> {
  const due = dispute.evidence_details.due_by;
  const { rowCount } = await tx.query(
    `insert into dispute
       (stripe_dispute_id, payment_id, status, reason, amount_ore, evidence_due_at, opened_at)
     values ($1, $2, $3, $4, $5, to_timestamp($6), to_timestamp($7))
     on conflict (stripe_dispute_id) do update set
       status = excluded.status, reason = excluded.reason, amount_ore = excluded.amount_ore,
       evidence_due_at = excluded.evidence_due_at
     where (dispute.status, dispute.reason, dispute.amount_ore, dispute.evidence_due_at)
       is distinct from
       (excluded.status, excluded.reason, excluded.amount_ore, excluded.evidence_due_at)`,
    [dispute.id, id, dispute.status, dispute.reason, dispute.amount, due, dispute.created],
  );
  return rowCount === 1;
}
