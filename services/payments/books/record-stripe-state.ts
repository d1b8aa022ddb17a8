import type Stripe from 'stripe';
import type { Attention } from '@proveklar/contract/admin-payments.ts';
import { createAccount, lockAccountById } from '#accounts/account.ts';
import { addCredit, takeBackDays } from '#accounts/credit-ledger.ts';
import { endSessionsBefore } from '#accounts/sessions.ts';
import { countToday } from '#database/daily-count.ts';
import type { Transaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';
import type { Payment } from '#payments/payment.ts';
import {
  disputeOf,
  isPaidInFull,
  methodOf,
  needsEvidence,
  refundedOre,
  type StripeState,
} from '#payments/provider/stripe.ts';
import { issueCodes, withdrawCodes } from '#payments/codes/packet-codes.ts';
import { issueReceipt } from './receipt.ts';
import type { Owner } from './registration-owner.ts';
import {
  haveWithdrawn,
  rememberWithdrawal,
  withdrawalDeadline,
  withdrawalHashesOf,
} from './withdrawal.ts';

interface RecordOptions {
  /** The HMAC key of the hashes that remember withdrawals. */
  withdrawalKey: string;
  /** The account owner of a registration; null when it must not be settled now. */
  owner: Owner | null;
  /** The identity provider rejects the registration's address. */
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
  'method',
] as const satisfies (keyof Payment)[];

/**
 * Writes Stripe's state of a payment to our books, with all consequences: account, service days,
 * codes, receipt, days and codes taken back, events.
 *
 * @param payment as read before Stripe was read
 * @returns the updated payment; null when it was changed since `payment` was read
 */
export async function recordStripeState(
  tx: Transaction,
  payment: Payment,
  stripeState: StripeState,
  { withdrawalKey, owner, emailRefused = false }: RecordOptions,
): Promise<Payment | null> {
  // Locks the account before its payments, as everywhere, to avoid deadlocks.
  const account = owner ? await createAccount(tx, owner) : null;
  const accountId = account?.id ?? payment.account_id;
  const accountState = accountId ? await lockAccountById(tx, accountId) : null;
  if (!(await lockRevision(tx, payment))) return null;
  await recordDeclines(tx, payment, stripeState);
  const reversed = await recordReversals(tx, payment, stripeState);
  const hashes = withdrawalHashesOf(withdrawalKey, payment.email, stripeState);
  const isPacket = payment.purpose === 'packet';
  if (reversed && !isPacket) await rememberRefundedWithdrawals(tx, payment, hashes);
  const paid = stripeState.intent.status === 'succeeded' && isPaidInFull(stripeState, payment);
  const settles = paid && payment.state !== 'settled' && (isPacket || accountId !== null);
  const cancels = payment.state === 'open' && isOver(stripeState, { paid });
  const next: Payment = {
    ...payment,
    state: settles ? 'settled' : cancels ? 'cancelled' : payment.state,
    account_id: settles ? accountId : payment.account_id,
    account_existed: settles ? (owner?.existed ?? null) : payment.account_existed,
    cancel_reason: cancelReasonOf(payment, { settles, cancels }),
    intent_status: stripeState.intent.status,
    refunded_ore: Math.min(refundedOre(stripeState), payment.amount_ore),
    dispute: disputeOf(stripeState),
    method: paidBy(stripeState) ?? payment.method,
  };
  const settlesForDeleted = settles && accountState === 'deleted';
  next.attention = await attentionOf(tx, next, stripeState, { settlesForDeleted, emailRefused });
  if (!reversed && WRITTEN_FIELDS.every((field) => next[field] === payment[field])) return payment;
  const written = await updatePayment(tx, next, { settles, cancels });
  if (settles && accountId && owner?.tokensValidAfter) {
    await endSessionsBefore(tx, accountId, owner.tokensValidAfter);
  }
  if (settles && isPacket) await issueCodes(tx, written, withdrawalKey);
  else if (settles) await grantServiceDays(tx, written, hashes);
  if (settles && written.address_reclaimed) {
    await emit(tx, 'registration.reclaimed', { payment_id: written.id });
  }
  if (written.state === 'settled' && isPacket) await withdrawCodes(tx, written);
  else if (written.state === 'settled') {
    await takeBackDays(tx, { paymentId: written.id, days: daysTakenBack(written) });
  }
  await announceProcessing(tx, { before: payment, after: written });
  // An unsettled payment does not affect its account, and settling emits `payment.succeeded`.
  const affectedId = written.state === 'settled' && !settles ? written.account_id : null;
  await emit(tx, 'payment.changed', { payment_id: written.id, account_id: affectedId });
  return written;
}

function paidBy({ intent: { status, latest_charge: charge } }: StripeState): string | null {
  return status === 'succeeded' && charge && typeof charge === 'object' ? methodOf(charge) : null;
}

/** The payer may have left, and is mailed that the bank takes its time, and what came of it. */
async function announceProcessing(
  tx: Transaction,
  { before, after }: { before: Payment; after: Payment },
): Promise<void> {
  const wasProcessing = before.intent_status === 'processing';
  const isProcessing = after.intent_status === 'processing';
  if (isProcessing && !wasProcessing) {
    const { rows } = await tx.query<{ since: Date }>('select clock_timestamp() as since');
    const since = rows[0]!.since.toISOString();
    await emit(tx, 'payment.processing', { payment_id: after.id, since });
  }
  // Success has its own event.
  if (wasProcessing && !isProcessing && after.intent_status !== 'succeeded') {
    await emit(tx, 'payment.failed', { payment_id: after.id });
  }
}

/** Checks the state too: the version before revisions settles without raising them. */
async function lockRevision(tx: Transaction, { id, revision, state }: Payment): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from payment where id = $1 and revision = $2 and state = $3 for update',
    [id, revision, state],
  );
  return rowCount === 1;
}

/** Records each declined charge once. */
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

/** Records the refunds and disputes of a payment. Returns whether anything was new. */
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
  { id, purpose }: Payment,
  refund: Stripe.Refund,
): Promise<boolean> {
  const state = refundStateOf(refund.status);
  const refundIdInMetadata = refund.metadata?.refund_id ?? null;
  const known = await tx.query<{ id: string; state: string; reason: string }>(
    `select id, state, reason from refund
     where payment_id = $1 and (stripe_refund_id = $2 or id::text = $3)`,
    [id, refund.id, refundIdInMetadata],
  );
  const before = known.rows[0];
  if (before?.state === state) return false;
  const failure = refund.failure_reason ?? null;
  const { rows } = await tx.query<{ id: string; reason: string }>(
    before
      ? `update refund set stripe_refund_id = $2, state = $3, failure = $4,
           made_at = to_timestamp($5), updated_at = clock_timestamp()
         where id = $1 returning id, reason`
      : `insert into refund
           (payment_id, stripe_refund_id, state, failure, made_at, amount_ore, reason)
         values ($1, $2, $3, $4, to_timestamp($5), $6, 'stripe') returning id, reason`,
    before
      ? [before.id, refund.id, state, failure, refund.created]
      : [id, refund.id, state, failure, refund.created, refund.amount],
  );
  const { id: refundId, reason } = rows[0]!;
  // A learner who withdrew already has a mail from that time.
  if (state === 'succeeded' && (purpose === 'packet' || reason !== 'withdrawal')) {
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
       (stripe_dispute_id, payment_id, status, reason, amount_ore, evidence_due_at, opened_at, closed_at)
     values ($1, $2, $3, $4, $5, to_timestamp($6), to_timestamp($7),
       case when $3 in ('won', 'lost') then clock_timestamp() end)
     on conflict (stripe_dispute_id) do update set
       status = excluded.status, reason = excluded.reason, amount_ore = excluded.amount_ore,
       evidence_due_at = excluded.evidence_due_at,
       closed_at = coalesce(dispute.closed_at, excluded.closed_at)
     where (dispute.status, dispute.reason, dispute.amount_ore, dispute.evidence_due_at)
       is distinct from
       (excluded.status, excluded.reason, excluded.amount_ore, excluded.evidence_due_at)`,
    [dispute.id, id, dispute.status, dispute.reason, dispute.amount, due, dispute.created],
  );
  return rowCount === 1;
}

/** Remembers the withdrawal behind a refund. The card is known only here. */
async function rememberRefundedWithdrawals(
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

/** The payment has failed for good: cancelled, or a wrong amount was paid and has been refunded. */
function isOver(stripeState: StripeState, { paid }: { paid: boolean }): boolean {
  const { status, amount_received: received } = stripeState.intent;
  if (status === 'canceled') return true;
  return status === 'succeeded' && !paid && refundedOre(stripeState) >= received;
}

/** The reason is stored before the cancellation at Stripe, and is cleared when the payment settles first. */
function cancelReasonOf(
  { cancel_reason: stored }: Payment,
  { settles, cancels }: { settles: boolean; cancels: boolean },
): Payment['cancel_reason'] {
  if (settles) return null;
  return cancels ? (stored ?? 'stripe') : stored;
}

interface AttentionFacts {
  /** The payment settles for an account that was deleted meanwhile. */
  settlesForDeleted: boolean;
  emailRefused: boolean;
}

/** Why an administrator must look at a payment; null when there is no need. */
async function attentionOf(
  tx: Transaction,
  payment: Payment,
  stripeState: StripeState,
  { settlesForDeleted, emailRefused }: AttentionFacts,
): Promise<Attention | null> {
  if (needsEvidence(stripeState)) return 'disputed';
  if (await lastRefundFailed(tx, payment)) return 'refund_failed';
  const netOre = stripeState.intent.amount_received - payment.refunded_ore;
  if (stripeState.intent.status !== 'succeeded' || netOre <= 0 || payment.dispute === 'lost')
    return null;
  if (settlesForDeleted || payment.attention === 'account_closed') return 'account_closed';
  if (payment.state === 'settled') return null;
  if (!isPaidInFull(stripeState, payment)) return 'mismatch';
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

async function grantServiceDays(
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
  const { rowCount } = await tx.query(
    `select from payment where account_id = $1 and state = 'settled' and id <> $2 limit 1`,
    [accountId, paymentId],
  );
  if (rowCount === 0) await countToday(tx, 'first_payment');
}

/** Maps Stripe's refund status to ours. */
export function refundStateOf(
  status: Stripe.Refund['status'],
): 'succeeded' | 'failed' | 'cancelled' | 'pending' {
  if (status === 'succeeded' || status === 'failed') return status;
  return status === 'canceled' ? 'cancelled' : 'pending';
}

/**
 * Days that refunds and disputes take back: all of them for an open or lost dispute, a share for
 * refunds, rounded down.
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
