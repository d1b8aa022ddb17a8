import {
  type Attention,
  type CancelReason,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '@proveklar/contract/admin-payments.ts';
import { type Credit, readCredits } from '#accounts/credit-ledger.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { findReceipt, type Receipt } from './books/receipt.ts';
import type { Reconciliation } from './incoming/reconcile.ts';
import type { Payment } from './payment.ts';
import type { Refund } from './refund.ts';

const WAS_DECLINED = 'exists (select from card_decline where payment_id = payment.id)';

/**
 * The status of the row `payment`. The column `outcome` is computed by the database from the row
 * alone, so that it has an index; only refused cards are elsewhere.
 */
const STATUS = `case when payment.outcome = 'open' and ${WAS_DECLINED} then 'declined' else payment.outcome end`;

/** A payment as a line of the administrator's list. Amounts in øre, including VAT. */
export interface ListedPayment {
  id: string;
  created_at: Date;
  /** When it became days. */
  paid_at: Date | null;
  /** Null when its learner was deleted. */
  email: string | null;
  purpose: Payment['purpose'];
  amount: number;
  days: number;
  status: PaymentStatus;
  refunded: number;
  dispute: Payment['dispute'];
  attention: Attention | null;
  receipt_number: number | null;
  /** Cards that were refused. */
  declines: number;
  payment_intent_id: string | null;
}

/** What is undefined does not filter. */
interface PaymentFilter {
  status: PaymentStatus | undefined;
  /** Only those that a person must look at. */
  attention: boolean;
  /** A PaymentIntent's id, a payment's id, a receipt's number, or part of an address. */
  search: string | undefined;
  /** Only what lies before the payment of this id. */
  before: string | undefined;
}

interface PaymentPage {
  payments: ListedPayment[];
  /** `before` of the next page; null when there is none. */
  next_before: string | null;
}

const PAGE_SIZE = 50;

/** The columns of a `ListedPayment`, from `payment left join receipt`. */
const LISTED_COLUMNS = `
  payment.id, payment.created_at, payment.settled_at as paid_at,
  case when payment.email not like 'deleted-%@invalid' then payment.email end as email,
  payment.purpose, payment.amount_ore as amount, payment.service_days as days,
  ${STATUS} as status, payment.refunded_ore as refunded, payment.dispute, payment.attention,
  receipt.number as receipt_number,
  (select count(*)::int from card_decline where payment_id = payment.id) as declines,
  payment.payment_intent_id`;

const ADDRESS = /^[^@\s]+@[^@\s]+[.][^@\s]+$/;
/** Payments that are looked at one by one. */
const RECENT_PAYMENTS = 5_000;

/** Payments, the newest first, a page at a time. */
export async function listPayments(db: Queryable, filter: PaymentFilter): Promise<PaymentPage> {
  const wanted = filter.search?.trim() ?? '';
  const search = wanted ? searchCondition(wanted) : null;
  // A whole address is that learner's; there may be longer ones that end with it.
  const exact = ADDRESS.test(wanted) ? await readPage(db, filter, wholeAddress(wanted)) : [];
  if (exact.length > 0) return toPage(exact);
  // Part of an address that many have is found among the newest; for one that few have there is an
  // index, which would be slow for the many.
  const recent = search?.isPart ? await readPage(db, filter, search, RECENT_PAYMENTS) : [];
  return toPage(recent.length > PAGE_SIZE ? recent : await readPage(db, filter, search));
}

interface SearchCondition {
  sql: (parameter: (value: string) => string) => string;
  /** Of an address. */
  isPart: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** No receipt has a longer number, and no bigint overflows. */
const NUMBER = /^\d{1,15}$/;
/** Shorter parts have no trigram, and are looked for at the beginning of the address only. */
const MIN_PART_LENGTH = 3;

function searchCondition(wanted: string): SearchCondition {
  const isPart = false;
  if (wanted.startsWith('pi_')) return { isPart, sql: (p) => `payment_intent_id = ${p(wanted)}` };
  if (UUID.test(wanted)) return { isPart, sql: (p) => `id = ${p(wanted)}` };
  if (NUMBER.test(wanted)) {
    const sql: SearchCondition['sql'] = (p) =>
      `id = (select payment_id from receipt where number = ${p(wanted)}::bigint)`;
    return { isPart, sql };
  }
  const part = wanted.toLowerCase();
  const literal = indexedPart(part).replaceAll(/[\\%_]/g, String.raw`\$&`);
  const pattern = part.length < MIN_PART_LENGTH ? `${literal}%` : `%${literal}%`;
  // What stands in place of a deleted learner's address is not searched.
  const sql: SearchCondition['sql'] = (p) =>
    `email like ${p(pattern)} and strpos(email, ${p(part)}) > 0 and email not like 'deleted-%@invalid'`;
  return { isPart: true, sql };
}

/** What is looked up in the index: without a domain, whose letters are in most addresses. */
function indexedPart(part: string): string {
  const local = part.slice(0, part.indexOf('@') + 1);
  return local.length > MIN_PART_LENGTH ? local : part;
}

async function readPage(
  db: Queryable,
  { status, attention, before }: PaymentFilter,
  search: SearchCondition | null,
  among?: number,
): Promise<ListedPayment[]> {
  const values: unknown[] = [];
  const conditions = ['true'];
  if (before !== undefined) conditions.push(`id < $${values.push(before)}`);
  if (status) conditions.push(statusCondition(status));
  if (attention) conditions.push('attention is not null');
  const found = search ? search.sql((value) => `$${values.push(value)}`) : 'true';
  // Written out for each filter, so that each is read along its own index. Ids are in the order of
  // time.
  const source = `select * from payment where ${conditions.join(' and ')}`;
  const { rows } = await db.query<ListedPayment>(
    `select ${LISTED_COLUMNS}
     from (
       ${among ? `select * from (${source} order by id desc limit ${among}) payment where` : `${source} and`}
       ${found}
       order by id desc limit ${PAGE_SIZE + 1}) payment
     left join receipt on receipt.payment_id = payment.id
     order by payment.id desc`,
    values,
  );
  return rows;
}

function wholeAddress(address: string): SearchCondition {
  return { isPart: false, sql: (p) => `email = ${p(address.toLowerCase())}` };
}

function toPage(rows: ListedPayment[]): PaymentPage {
  const payments = rows.slice(0, PAGE_SIZE);
  return { payments, next_before: rows.length > PAGE_SIZE ? payments.at(-1)!.id : null };
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

interface ReceivedEvent {
  id: string;
  type: string;
  received_at: Date;
  processed_at: Date | null;
  /** Sent by Stripe, or found by us when it did not come. */
  source: 'webhook' | 'reconciliation';
}

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
  events: ReceivedEvent[];
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
    listOf<ReceivedEvent>(
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
    `select ${LISTED_COLUMNS}, payment.username, payment.account_id,
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

interface PaymentSummary {
  /** How many payments have each status. */
  counts: Record<PaymentStatus, number>;
  /** How many a person must look at. */
  attention: number;
  /** The last comparison with Stripe that is done; null before the first. */
  reconciliation: Reconciliation | null;
  /** The last comparison that a person ordered, while it is not done. */
  running: Reconciliation | null;
}

/** What there is, at a glance. */
export async function summarizePayments(db: Queryable): Promise<PaymentSummary> {
  const [byOutcome, few, compared, ordered] = await Promise.all([
    db.query<{ outcome: PaymentStatus; count: number }>(
      'select outcome, count(*) as count from payment group by outcome',
    ),
    db.query<{ declined: number; attention: number }>(
      `select (select count(*) from payment where ${statusCondition('declined')}) as declined,
         (select count(*) from payment where attention is not null) as attention`,
    ),
    db.query<Reconciliation>(
      `select * from reconciliation where state = 'done' order by done_at desc limit 1`,
    ),
    // One of yesterday was given up, such as with the process that made it.
    db.query<Reconciliation>(
      `select * from reconciliation
       where state <> 'done' and requested_by is not null
         and created_at > clock_timestamp() - interval '1 day'
       order by created_at desc limit 1`,
    ),
  ]);
  const counts = Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, 0])) as Record<
    PaymentStatus,
    number
  >;
  for (const { outcome, count } of byOutcome.rows) counts[outcome] = count;
  const { declined, attention } = few.rows[0]!;
  counts.declined = declined;
  counts.open = Math.max(0, counts.open - declined);
  const [reconciliation = null, running = null] = [compared.rows[0], ordered.rows[0]];
  return { counts, attention, reconciliation, running };
}

/** The condition for a status, in a form that the index on `outcome` serves. */
function statusCondition(status: PaymentStatus): string {
  if (status === 'declined') return `payment.outcome = 'open' and ${WAS_DECLINED}`;
  if (status === 'open') return `payment.outcome = 'open' and not ${WAS_DECLINED}`;
  return `payment.outcome = '${status}'`;
}

/** How many payments that were begun within the last day became service days. */
export async function countSettled(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from payment
     where created_at > clock_timestamp() - interval '1 day' and state = 'settled'`,
  );
  return rows[0]!.n;
}
