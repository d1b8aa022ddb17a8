import type { Transaction } from '#database/pool.ts';
import type { Attention, Payment } from './payment.ts';
import { isPaidInFull, needsEvidence, type StripeState } from '#payments/stripe/stripe-state.ts';

export interface AttentionFacts {
  /** It becomes service of an account that was deleted meanwhile. */
  settlesForDeleted: boolean;
  emailRefused: boolean;
}

/** Why a person must look at a payment now; null when nobody must. */
export async function attentionOf(
  tx: Transaction,
  payment: Payment,
  seen: StripeState,
  { settlesForDeleted, emailRefused }: AttentionFacts,
): Promise<Attention | null> {
  if (needsEvidence(seen)) return 'disputed';
  if (await lastRefundFailed(tx, payment)) return 'refund_failed';
  const kept = seen.intent.amount_received - payment.refunded_ore;
  if (seen.intent.status !== 'succeeded' || kept <= 0 || payment.dispute === 'lost') return null;
  if (settlesForDeleted || payment.attention === 'account_closed') return 'account_closed';
  if (payment.state === 'settled') return null;
  if (!isPaidInFull(seen, payment)) return 'mismatch';
  if (emailRefused || payment.attention === 'email_refused') return 'email_refused';
  return null;
}

async function lastRefundFailed(tx: Transaction, { id }: Payment): Promise<boolean> {
  const { rows } = await tx.query<{ state: string }>(
    'select state from refund where payment_id = $1 order by created_at desc, id desc limit 1',
    [id],
  );
  return rows[0]?.state === 'failed';
}
