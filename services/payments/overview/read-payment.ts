import { readCredits, type Credit } from '#accounts/credit-ledger.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { LISTED, type ListedPayment } from './list-payments.ts';
import type { CancelReason } from '#payments/payment.ts';
import { findReceipt, type Receipt } from '#payments/receipts/receipt.ts';
import type { Refund } from '#payments/refunds/request-refund.ts';

/** Everything that is known of a payment. Amounts in øre. */
export interface PaymentDetails extends ListedPayment {
  username: string | null;
  account_id: string | null;
  /** What the identity provider calls its learner; null for one who is deleted or not yet there. */
  uid: string | null;
  intent_status: string | null;
  cancelled_at: Date | null;
  cancel_reason: CancelReason | null;
  consent_version: string | null;
  consented_at: Date | null;
  /** What can still be paid back. */
  refundable: number;
  /** The days that it gave; null before it is settled. */
  credit: Credit | null;
  receipt: Receipt | null;
  refunds: Refund[];
  disputes: Dispute[];
  /** Cards that were refused. */
  refusals: Refusal[];
  /** What Stripe said has happened, the newest first. */
  events: HeardEvent[];
}

interface Dispute {
  stripe_dispute_id: string;
  /** Stripe's own word. */
  status: string;
  reason: string;
  amount_ore: number;
  evidence_due_at: Date | null;
  opened_at: Date;
}

interface Refusal {
  charge_id: string;
  /** The bank's or Stripe's word for why. */
  code: string | null;
  declined_at: Date;
}

interface HeardEvent {
  id: string;
  type: string;
  received_at: Date;
  processed_at: Date | null;
  /** Sent by Stripe, or found by us when it did not come. */
  source: 'webhook' | 'reconciliation';
}

/** @throws AppError `payment_not_found` */
export async function readPayment(db: Database, id: string): Promise<PaymentDetails> {
  const row = await readRow(db, id);
  const [receipt, credits, refunds, disputes, refusals, events] = await Promise.all([
    findReceipt(db, id),
    row.account_id ? readCredits(db, row.account_id) : [],
    listOf<Refund>(db, 'select * from refund where payment_id = $1 order by created_at, id', id),
    listOf<Dispute>(
      db,
      `select stripe_dispute_id, status, reason, amount_ore, evidence_due_at, opened_at
       from dispute where payment_id = $1 order by opened_at`,
      id,
    ),
    listOf<Refusal>(
      db,
      `select charge_id, code, declined_at from card_decline
       where payment_id = $1 order by declined_at, charge_id`,
      id,
    ),
    listOf<HeardEvent>(
      db,
      `select id, type, received_at, processed_at, source from stripe_event
       where payment_intent_id = $1 order by received_at desc, id limit 100`,
      row.payment_intent_id,
    ),
  ]);
  const credit = credits.find(({ payment_id }) => payment_id === id) ?? null;
  return { ...row, receipt, credit, refunds, disputes, refusals, events };
}

type Row = Omit<
  PaymentDetails,
  'receipt' | 'credit' | 'refunds' | 'disputes' | 'refusals' | 'events'
>;

async function readRow(db: Queryable, id: string): Promise<Row> {
  const { rows } = await db.query<Row>(
    `select ${LISTED}, payment.username, payment.account_id,
       case when account.state <> 'deleted' then account.uid end as uid, payment.intent_status,
       payment.cancelled_at, payment.cancel_reason, payment.consent_version, payment.consented_at,
       case when payment.intent_status = 'succeeded' and payment.outcome <> 'disputed'
         then payment.amount_ore - payment.refunded_ore - (
           select coalesce(sum(amount_ore), 0)::int from refund
           where payment_id = payment.id and state = 'requested')
         else 0 end as refundable
     from payment
     left join receipt on receipt.payment_id = payment.id
     left join account on account.id = payment.account_id
     where payment.id = $1`,
    [id],
  );
  if (!rows[0]) throw new AppError('payment_not_found');
  return rows[0];
}

async function listOf<T extends object>(db: Queryable, sql: string, value: unknown): Promise<T[]> {
  const { rows } = await db.query<T>(sql, [value]);
  return rows;
}
