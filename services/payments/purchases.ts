import { lockAccountById } from '#accounts/account.ts';
import { type Credit, type CreditPeriod, readCredits } from '#accounts/credit-ledger.ts';
import { type Queryable, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { withdrawalHashesOf, rememberWithdrawal, withdrawalDeadline } from './books/withdrawal.ts';
import type { PendingPayment } from './confirm-payment.ts';
import type { Payment, PaymentDeps } from './payment.ts';
import { type Refund, requestRefund } from './refund.ts';

interface PurchaseRow extends Pick<
  Payment,
  | 'id'
  | 'amount_ore'
  | 'service_days'
  | 'refunded_ore'
  | 'intent_status'
  | 'dispute'
  | 'consent_version'
> {
  settled_at: Date;
  number: number;
  issued_at: Date;
  vat_ore: number;
  vat_percent: number;
  period_start: Date;
  period_end: Date;
  seller_name: string | null;
  seller_organisation_number: string | null;
  seller_address: string | null;
}

/** A payment with its receipt, refunds and right of withdrawal. Amounts are øre. */
export interface Purchase extends PurchaseRow {
  /** The current service period of the payment, after days that were taken back. */
  service: CreditPeriod;
  refunds: Refund[];
  withdrawal_until: Date;
  withdrawal_over: boolean;
  /** Null when withdrawal is not possible, or no longer. */
  withdrawal: Withdrawal | null;
}

/** An account's payments with their receipts, the newest first. */
export function readPurchases(db: Queryable, accountId: string): Promise<Purchase[]> {
  return selectPurchases(db, accountId, null);
}

/** A payment for more service that the bank or its customer has not finished. */
interface PendingPurchase {
  payment_intent_id: string;
  status: PendingPayment['status'];
}

/** An account's payment that is pending at its bank, as last read from Stripe; null for none. */
export async function findPendingPurchase(
  db: Queryable,
  accountId: string,
): Promise<PendingPurchase | null> {
  const { rows } = await db.query<PendingPurchase>(
    `select payment_intent_id, intent_status as status from payment
     where account_id = $1 and purpose = 'extension' and state = 'open'
       and intent_status in ('processing', 'requires_action')`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** One payment of an account with its receipt; null when the account has no such payment. */
export async function findPurchase(
  db: Queryable,
  accountId: string,
  paymentId: string,
): Promise<Purchase | null> {
  const [purchase] = await selectPurchases(db, accountId, paymentId);
  return purchase ?? null;
}

async function selectPurchases(
  db: Queryable,
  accountId: string,
  paymentId: string | null,
): Promise<Purchase[]> {
  const { rows } = await db.query<PurchaseRow & { now: Date }>(
    `select payment.id, payment.amount_ore, payment.service_days, payment.refunded_ore,
       payment.intent_status, payment.dispute, payment.consent_version, payment.settled_at,
       receipt.number::int, receipt.issued_at, receipt.vat_ore, receipt.vat_percent,
       receipt.period_start, receipt.period_end, receipt.seller_name,
       receipt.seller_organisation_number, receipt.seller_address, clock_timestamp() as now
     from payment join receipt on receipt.payment_id = payment.id
     where payment.account_id = $1 and ($2::uuid is null or payment.id = $2)
       and payment.state = 'settled'
     order by payment.settled_at desc, payment.id desc`,
    [accountId, paymentId],
  );
  if (rows.length === 0) return [];
  const refunds = await refundsOf(
    db,
    rows.map(({ id }) => id),
  );
  const credits = await readCredits(db, accountId);
  return rows.map(({ now, ...row }) => {
    const credit = credits.find(({ payment_id }) => payment_id === row.id);
    if (!credit) throw new Error(`Payment ${row.id} is settled and has no credit`);
    const own = refunds.filter(({ payment_id }) => payment_id === row.id);
    const { starts_at, ends_at } = credit;
    const until = withdrawalDeadline(row.settled_at);
    return {
      ...row,
      service: { starts_at, ends_at },
      refunds: own,
      withdrawal_until: until,
      withdrawal_over: now > until,
      withdrawal: withdrawalOf({ payment: row, refunds: own, credit }, now),
    };
  });
}

async function refundsOf(db: Queryable, paymentIds: string[]): Promise<Refund[]> {
  const { rows } = await db.query<Refund>(
    'select * from refund where payment_id = any($1) order by created_at desc, id desc',
    [paymentIds],
  );
  return rows;
}

interface WithdrawalRequest {
  accountId: string;
  paymentId: string;
  /** Øre: the amount that the learner was shown and agreed to. */
  refundOre: number;
}

/**
 * Withdraws from a purchase (see `withdrawalOf`): requests its refund and mails the learner. A repeated
 * call returns the same refund. The days are taken back when Stripe has made the refund. The address is
 * remembered as one with a withdrawal; the card, which only Stripe knows, is remembered with the refund.
 *
 * @throws AppError `payment_not_found` (also for another account's), `withdrawal_over`,
 *   `payment_not_refundable`, `withdrawal_changed` (details: `refund_amount`, øre), `account_disabled`
 */
export function withdraw(
  { db, withdrawalKey }: Pick<PaymentDeps, 'db' | 'withdrawalKey'>,
  request: WithdrawalRequest,
): Promise<Refund> {
  const { accountId, paymentId, refundOre } = request;
  return withTransaction(db, async (tx) => {
    if ((await lockAccountById(tx, accountId)) !== 'active') throw new AppError('account_disabled');
    const addresses = await lockPayment(tx, request);
    const purchase = await findPurchase(tx, accountId, paymentId);
    if (!purchase) throw new AppError('payment_not_found');
    const existing = purchase.refunds.find(({ reason }) => reason === 'withdrawal');
    if (existing?.amount_ore === refundOre) return existing;
    const { withdrawal } = purchase;
    if (!withdrawal) {
      throw new AppError(
        purchase.withdrawal_over && !existing ? 'withdrawal_over' : 'payment_not_refundable',
      );
    }
    if (withdrawal.refund_ore !== refundOre) {
      throw new AppError('withdrawal_changed', {
        details: { refund_amount: withdrawal.refund_ore },
      });
    }
    const refund = await requestRefund(tx, {
      paymentId,
      amountOre: refundOre,
      reason: 'withdrawal',
      requestedBy: null,
    });
    const hashes = addresses.flatMap((address) => withdrawalHashesOf(withdrawalKey, address));
    await rememberWithdrawal(tx, hashes, refund.created_at);
    await emit(tx, 'payment.withdrawn', { refund_id: refund.id });
    return refund;
  });
}

/**
 * Makes a second tab wait, so that it then sees the refund of the first.
 *
 * @returns the address at the time of the payment, and the account's current one
 */
async function lockPayment(
  tx: Transaction,
  { accountId, paymentId }: WithdrawalRequest,
): Promise<(string | null)[]> {
  const { rows } = await tx.query<Record<'paid_under' | 'now', string | null>>(
    `select payment.email as paid_under, account.email as now
     from payment join account on account.id = account_id
     where payment.id = $1 and account_id = $2 for update of payment`,
    [paymentId, accountId],
  );
  return rows.flatMap(({ paid_under, now }) => [paid_under, now]);
}

/** The facts on which a payment's right of withdrawal depends. */
export interface WithdrawalBasis {
  payment: Pick<
    Payment,
    | 'amount_ore'
    | 'refunded_ore'
    | 'service_days'
    | 'settled_at'
    | 'intent_status'
    | 'dispute'
    | 'consent_version'
  >;
  refunds: readonly Pick<Refund, 'amount_ore' | 'state' | 'reason'>[];
  credit: Pick<Credit, 'starts_at'>;
}

interface Withdrawal {
  /** The deadline. */
  until: Date;
  /** Øre. */
  refund_ore: number;
}

/**
 * The refund of a withdrawal at a given time; null when withdrawal is not possible: too late, already
 * done, disputed at the bank, or nothing is left.
 *
 * Angrerettloven § 20: the learner need not give a reason. § 21: within 14 days. § 22: not after the
 * service was fully delivered. § 26: a learner who consented to an immediate start pays in proportion
 * for what was delivered; one who did not pays nothing.
 * https://lovdata.no/dokument/NL/lov/2014-06-20-27
 */
export function withdrawalOf(basis: WithdrawalBasis, now: Date): Withdrawal | null {
  const { payment, refunds } = basis;
  const until = withdrawalDeadline(payment.settled_at!);
  const disputed = payment.dispute === 'open' || payment.dispute === 'lost';
  if (payment.intent_status !== 'succeeded' || disputed || now > until) return null;
  if (refunds.some(({ reason }) => reason === 'withdrawal')) return null;
  const requested = refunds
    .filter(({ state }) => state === 'requested')
    .reduce((sum, { amount_ore }) => sum + amount_ore, 0);
  const refundedOre = payment.refunded_ore + requested;
  const refund_ore = withdrawalRefund({ ...basis, refundedOre, now });
  return refund_ore > 0 ? { until, refund_ore } : null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Øre to refund: the amount, less the cost of the used days (rounded down in the learner's favour), less
 * earlier refunds. A day has 24 hours; a day that has only started does not count as used.
 */
function withdrawalRefund({
  payment: { amount_ore, service_days, consent_version },
  credit: { starts_at },
  refundedOre,
  now,
}: WithdrawalBasis & { refundedOre: number; now: Date }): number {
  const passed = Math.floor((now.getTime() - starts_at.getTime()) / DAY_MS);
  const used = consent_version === null ? 0 : Math.min(Math.max(passed, 0), service_days);
  return Math.max(amount_ore - Math.floor((amount_ore * used) / service_days) - refundedOre, 0);
}
