import { readCredits, type CreditPeriod } from '#accounts/credit-ledger.ts';
import type { Queryable } from '#database/pool.ts';
import type { NotYet } from '#payments/confirm-payment.ts';
import type { Payment } from '#payments/payment.ts';
import type { Refund } from '#payments/refunds/request-refund.ts';
import { withdrawalDeadline } from '#payments/refunds/withdrawal-deadline.ts';
import { type Withdrawal, withdrawalOf } from '#payments/refunds/withdrawal.ts';

interface ReceiptRow extends Pick<
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

/** A payment with its receipt, and what has become of it. Amounts are øre. */
export interface Receipt extends ReceiptRow {
  /** The days that the payment gives as they are now, after what was taken back. */
  service: CreditPeriod;
  refunds: Refund[];
  withdrawal_until: Date;
  withdrawal_over: boolean;
  /** Null when there is nothing to withdraw from, or no time left for it. */
  withdrawal: Withdrawal | null;
}

/** An account's payments with their receipts, the newest first. */
export function readReceipts(db: Queryable, accountId: string): Promise<Receipt[]> {
  return read(db, accountId, null);
}

/** A payment for more service that the bank, or its customer, is not done with. */
export interface UnderWay {
  payment_intent_id: string;
  status: NotYet['status'];
}

/** The payment that an account has under way at its bank, as it was last heard of; or null. */
export async function findUnderWay(db: Queryable, accountId: string): Promise<UnderWay | null> {
  const { rows } = await db.query<UnderWay>(
    `select payment_intent_id, intent_status as status from payment
     where account_id = $1 and purpose = 'extension' and state = 'open'
       and intent_status in ('processing', 'requires_action')`,
    [accountId],
  );
  return rows[0] ?? null;
}

/** One payment of an account with its receipt; null when the account has no such payment. */
export async function findReceipt(
  db: Queryable,
  accountId: string,
  paymentId: string,
): Promise<Receipt | null> {
  const [receipt] = await read(db, accountId, paymentId);
  return receipt ?? null;
}

async function read(
  db: Queryable,
  accountId: string,
  paymentId: string | null,
): Promise<Receipt[]> {
  const { rows } = await db.query<ReceiptRow & { now: Date }>(
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
