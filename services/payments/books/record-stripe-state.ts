import type Stripe from 'stripe';
import type { Attention } from '@proveklar/contract/admin-payments.ts';
import { createAccount, lockAccount } from '#accounts/account.ts';
import { addCredit, takeBackDays } from '#accounts/credit-ledger.ts';
import { endSessionsBefore } from '#accounts/sessions.ts';
import type { Transaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';
import type { Payment } from '#payments/payment.ts';
import {
  disputeOf,
  isPaidInFull,
  needsEvidence,
  refundedOre,
  type StripeState,
} from '#payments/provider/stripe.ts';
import { issueReceipt } from './receipt.ts';
import type { Owner } from './registration-owner.ts';
import {
  haveWithdrawn,
  rememberWithdrawal,
  withdrawalDeadline,
  withdrawalHashesOf,
} from './withdrawal.ts';

interface Recording {
  /** Of the hashes by which withdrawals are remembered. */
  withdrawalKey: string;
  /** Whose account a registration becomes; null when it is not to be settled now. */
  owner: Owner | null;
  /** The sign-in service takes nobody with the registration's address. */
  emailRefused?: boolean;
}

const WRITTEN_FIELDS = [
  'state',
  'account_id',
  'account_existed',
  'cancel_reason',
  'intent_status',
  'refunded_ore',
  'dispute',
  'attention',
] as const satisfies (keyof Payment)[];

/**
 * Writes what Stripe says of a payment, with all that follows from it: account, days, receipt, days
 * taken back, events.
 *
 * @param payment as it was before Stripe was read
 * @returns the payment as it is now; null when somebody has written since `payment` was read
 */
export async function recordStripeState(
  tx: Transaction,
  payment: Payment,
  seen: StripeState,
  { withdrawalKey, owner, emailRefused = false }: Recording,
): Promise<Payment | null> {
  // The account before its payments, as everywhere, so that no two wait for each other.
  const account = owner ? await createAccount(tx, owner) : null;
  const accountId = account?.id ?? payment.account_id;
  const accountState = accountId ? await lockAccount(tx, accountId) : null;
  if (!(await lockRevision(tx, payment))) return null;
  await recordDeclines(tx, payment, seen);
  const reversed = await recordReversals(tx, payment, seen);
  const hashes = withdrawalHashesOf(withdrawalKey, payment.email, seen);
  if (reversed) await rememberRefunded(tx, payment, hashes);
  const paid = seen.intent.status === 'succeeded' && isPaidInFull(seen, payment);
  const settles = paid && payment.state !== 'settled' && accountId !== null;
  const cancels = payment.state === 'open' && isOver(seen, { paid });
  const next: Payment = {
    ...payment,
    state: settles ? 'settled' : cancels ? 'cancelled' : payment.state,
    account_id: settles ? accountId : payment.account_id,
    account_existed: settles ? (owner?.existed ?? null) : payment.account_existed,
    cancel_reason: cancelReasonOf(payment, { settles, cancels }),
    intent_status: seen.intent.status,
    refunded_ore: Math.min(refundedOre(seen), payment.amount_ore),
    dispute: disputeOf(seen),
  };
  const settlesForDeleted = settles && accountState === 'deleted';
  next.attention = await attentionOf(tx, next, seen, { settlesForDeleted, emailRefused });
  if (!reversed && WRITTEN_FIELDS.every((field) => next[field] === payment[field])) return payment;
  const written = await updatePayment(tx, next, { settles, cancels });
  if (settles && owner?.tokensValidAfter) {
    await endSessionsBefore(tx, accountId, owner.tokensValidAfter);
  }
  if (settles) await giveDays(tx, written, hashes);
  if (settles && written.address_reclaimed) {
    await emit(tx, 'registration.reclaimed', { payment_id: written.id });
  }
  if (written.state === 'settled') {
    await takeBackDays(tx, { paymentId: written.id, days: daysTakenBack(written) });
  }
  // Until it is settled, nothing has changed for its account; and that it is now says another event.
  const concerned = written.state === 'settled' && !settles ? written.account_id : null;
  await emit(tx, 'payment.changed', { payment_id: written.id, account_id: concerned });
  return written;
}

/** The state too: the version that ran before the revisions settles without raising them. */
async function lockRevision(tx: Transaction, { id, revision, state }: Payment): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from payment where id = $1 and revision = $2 and state = $3 for update',
    [id, revision, state],
  );
  return rowCount === 1;
}

/** Writes down which tries to pay a bank refused, each once. */
async function recordDeclines(
  tx: Transaction,
  { id }: Payment,
  { declines }: StripeState,
): Promise<void> {
  if (declines.length === 0) return;
  await tx.query(
    `insert into card_decline (charge_id, payment_id, code, declined_at)
     select charge_id, $1, code, to_timestamp(declined)
     from unnest($2::text[], $3::text[], $4::float8[]) as row (charge_id, code, declined)
     on conflict (charge_id) do nothing`,
    [
      id,
      declines.map((charge) => charge.id),
      declines.map(({ outcome, failure_code }) => outcome?.reason ?? failure_code),
      declines.map(({ created }) => created),
    ],
  );
}

/** Writes down what became of a payment's refunds and disputes. Returns whether that was new. */
async function recordReversals(
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

/** The refund of a withdrawal: only here the card is known. */
async function rememberRefunded(
  tx: Transaction,
  { id }: Payment,
  hashes: readonly string[],
): Promise<void> {
  const { rows } = await tx.query<{ created_at: Date }>(
    `select created_at from refund where payment_id = $1 and reason = 'withdrawal'`,
    [id],
  );
  for (const { created_at } of rows) await rememberWithdrawal(tx, hashes, created_at);
}

/** Nothing will come of it: cancelled, or another amount than asked for was paid and is paid back. */
function isOver(seen: StripeState, { paid }: { paid: boolean }): boolean {
  const { status, amount_received: received } = seen.intent;
  if (status === 'canceled') return true;
  return status === 'succeeded' && !paid && refundedOre(seen) >= received;
}

/** A reason is noted before Stripe is asked to cancel; when the payment was made first, it falls away. */
function cancelReasonOf(
  { cancel_reason: noted }: Payment,
  { settles, cancels }: { settles: boolean; cancels: boolean },
): Payment['cancel_reason'] {
  if (settles) return null;
  return cancels ? (noted ?? 'stripe') : noted;
}

interface AttentionFacts {
  /** It becomes service of an account that was deleted meanwhile. */
  settlesForDeleted: boolean;
  emailRefused: boolean;
}

/** Why a person must look at a payment now; null when nobody must. */
async function attentionOf(
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

async function updatePayment(
  tx: Transaction,
  next: Payment,
  { settles, cancels }: { settles: boolean; cancels: boolean },
): Promise<Payment> {
  const { rows } = await tx.query<Payment>(
    `update payment set revision = revision + 1, ${WRITTEN_FIELDS.map((field, n) => `${field} = $${n + 4}`).join(', ')},
       settled_at = case when $2 then clock_timestamp() else settled_at end,
       cancelled_at = case when $3 then clock_timestamp() else cancelled_at end
     where id = $1 returning *`,
    [next.id, settles, cancels, ...WRITTEN_FIELDS.map((field) => next[field])],
  );
  return rows[0]!;
}

async function giveDays(
  tx: Transaction,
  payment: Payment,
  hashes: readonly string[],
): Promise<void> {
  const { id: paymentId, account_id, service_days: days, settled_at, consent_version } = payment;
  const accountId = account_id!;
  const waits = consent_version === null && (await haveWithdrawn(tx, hashes));
  const beginsAt = waits ? new Date(withdrawalDeadline(settled_at!).getTime() + 1) : null;
  const period = await addCredit(tx, { accountId, paymentId, days, beginsAt });
  await issueReceipt(tx, payment, period);
  await emit(tx, 'payment.succeeded', { payment_id: paymentId, account_id: accountId });
}

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
