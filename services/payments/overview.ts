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
import { type PacketSummary, summarizePacket } from './codes/packet-codes.ts';
import type { Reconciliation } from './incoming/reconcile.ts';
import type { Payment } from './payment.ts';
import type { Refund } from './refund.ts';

const WAS_DECLINED = 'exists (select from card_decline where payment_id = payment.id)';

/**
 * SQL: the status of a row of `payment`. The database computes the indexed column `outcome` from the row
 * alone; declined cards are in another table.
 */
const STATUS = `case when payment.outcome = 'open' and ${WAS_DECLINED} then 'declined' else payment.outcome end`;

/** A payment as a line of the administrator's list. Amounts in øre, including VAT. */
export interface ListedPayment {
  id: string;
  created_at: Date;
  /** When it was settled. */
  paid_at: Date | null;
  /** Null when the learner's account was deleted. */
  email: string | null;
  purpose: Payment['purpose'];
  /** The buyer of a packet; null for other payments. */
  organisation: string | null;
  amount: number;
  days: number;
  status: PaymentStatus;
  refunded: number;
  dispute: Payment['dispute'];
  attention: Attention | null;
  receipt_number: number | null;
  /** The number of declined cards. */
  declines: number;
  payment_intent_id: string | null;
}

/** Undefined fields do not filter. */
interface PaymentFilter {
  status: PaymentStatus | undefined;
  purpose?: Payment['purpose'] | undefined;
  /** Only payments that need an administrator's attention. */
  attention: boolean;
  /**
   * The id of a PaymentIntent or payment, the number of a receipt or an organisation, or part of an address or an
   * organisation's name.
   */
  search: string | undefined;
  /** Only payments before the one with this id. */
  before: string | undefined;
  /** Only payments of this account. */
  accountId?: string | undefined;
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
  payment.purpose,
  (select organisation from code_packet where payment_id = payment.id) as organisation,
  payment.amount_ore as amount, payment.service_days as days,
  ${STATUS} as status, payment.refunded_ore as refunded, payment.dispute, payment.attention,
  receipt.number as receipt_number,
  (select count(*)::int from card_decline where payment_id = payment.id) as declines,
  payment.payment_intent_id`;

const ADDRESS = /^[^@\s]+@[^@\s]+[.][^@\s]+$/;
/** The newest payments, which are scanned without an index. */
const RECENT_PAYMENTS = 5_000;

/** Lists a page of payments, the newest first. */
export async function listPayments(db: Queryable, filter: PaymentFilter): Promise<PaymentPage> {
  const term = filter.search?.trim() ?? '';
  const search = term ? searchCondition(term) : null;
  // A full address first matches only itself, not longer addresses that end with it.
  const exact = ADDRESS.test(term) ? await readPage(db, filter, wholeAddress(term)) : [];
  if (exact.length > 0) return toPage(exact);
  // A common part of an address is found among the newest payments. The index serves a rare part; it
  // would be slow for a common one.
  const recent = search?.isPart ? await readPage(db, filter, search, RECENT_PAYMENTS) : [];
  return toPage(recent.length > PAGE_SIZE ? recent : await readPage(db, filter, search));
}

interface SearchCondition {
  sql: (parameter: (value: string) => string) => string;
  /** Searches for part of an address. */
  isPart: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Receipt numbers are shorter, and a bigint cannot overflow. */
const NUMBER = /^\d{1,15}$/;
/** Shorter parts have no trigram and are searched only at the start of the address. */
const MIN_PART_LENGTH = 3;

function searchCondition(term: string): SearchCondition {
  const isPart = false;
  if (term.startsWith('pi_')) return { isPart, sql: (p) => `payment_intent_id = ${p(term)}` };
  if (UUID.test(term)) return { isPart, sql: (p) => `id = ${p(term)}` };
  // An organisation's number is often written in groups of three.
  const number = term.replaceAll(/\s/g, '');
  if (NUMBER.test(number)) {
    const sql: SearchCondition['sql'] = (p) =>
      anyOf(
        `select payment_id from receipt where number = ${p(number)}::bigint
         union all select payment_id from code_packet where organisation_number = ${p(number)}`,
      );
    return { isPart, sql };
  }
  const part = term.toLowerCase();
  const literal = indexedPart(part).replaceAll(/[\\%_]/g, String.raw`\$&`);
  const pattern = part.length < MIN_PART_LENGTH ? `${literal}%` : `%${literal}%`;
  // Excludes the placeholder of a deleted learner's address.
  const ofAddress: SearchCondition['sql'] = (p) =>
    `email like ${p(pattern)} and strpos(email, ${p(part)}) > 0 and email not like 'deleted-%@invalid'`;
  const ofOrganisation: SearchCondition['sql'] = (p) =>
    anyOf(
      `select payment_id from code_packet where strpos(lower(organisation), lower(${p(part)})) > 0`,
    );
  const sql: SearchCondition['sql'] =
    part.length < MIN_PART_LENGTH ? ofAddress : (p) => `(${ofAddress(p)} or ${ofOrganisation(p)})`;
  return { isPart: true, sql };
}

/** SQL: the payment is one of a few. As an array, so that they are looked up by their ids. */
const anyOf = (ids: string) => `id = any(array(${ids}))`;

/** The part to look up in the index: without the domain, which most addresses share. */
function indexedPart(part: string): string {
  const local = part.slice(0, part.indexOf('@') + 1);
  return local.length > MIN_PART_LENGTH ? local : part;
}

async function readPage(
  db: Queryable,
  { status, purpose, attention, before, accountId }: PaymentFilter,
  search: SearchCondition | null,
  among?: number,
): Promise<ListedPayment[]> {
  const values: unknown[] = [];
  const conditions = ['true'];
  if (before !== undefined) conditions.push(`id < $${values.push(before)}`);
  if (accountId !== undefined) conditions.push(`account_id = $${values.push(accountId)}`);
  if (status) conditions.push(statusCondition(status));
  // Packets are few among many payments.
  if (purpose === 'packet') conditions.push(anyOf('select payment_id from code_packet'));
  else if (purpose) conditions.push(`purpose = $${values.push(purpose)}`);
  if (attention) conditions.push('attention is not null');
  const searchSql = search ? search.sql((value) => `$${values.push(value)}`) : 'true';
  // One statement for each filter, so that each uses its own index. Ids are ordered by time.
  const source = `select * from payment where ${conditions.join(' and ')}`;
  const { rows } = await db.query<ListedPayment>(
    `select ${LISTED_COLUMNS}
     from (
       ${among ? `select * from (${source} order by id desc limit ${among}) payment where` : `${source} and`}
       ${searchSql}
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
  /** Stripe's status. */
  status: string;
  reason: string;
  amount_ore: number;
  evidence_due_at: Date | null;
  opened_at: Date;
}

interface Refusal {
  charge_id: string;
  /** The bank's or Stripe's code for the reason. */
  code: string | null;
  declined_at: Date;
}

interface ReceivedEvent {
  id: string;
  type: string;
  received_at: Date;
  processed_at: Date | null;
  /** Delivered by Stripe, or found by the reconciliation. */
  source: 'webhook' | 'reconciliation';
}

/** All details of a payment. Amounts in øre. */
export interface PaymentDetails extends ListedPayment {
  username: string | null;
  account_id: string | null;
  /** The learner's id at the identity provider; null for a deleted or not yet created account. */
  uid: string | null;
  intent_status: string | null;
  cancelled_at: Date | null;
  cancel_reason: CancelReason | null;
  consent_version: string | null;
  consented_at: Date | null;
  /** What can still be refunded. */
  refundable: number;
  /** The service days of the payment; null before it is settled. */
  credit: Credit | null;
  /** Null for a payment that is not of a packet. */
  packet: PacketSummary | null;
  receipt: Receipt | null;
  refunds: Refund[];
  disputes: Dispute[];
  /** Declined cards. */
  refusals: Refusal[];
  /** Stripe's events, the newest first. */
  events: ReceivedEvent[];
}

/** @throws AppError `payment_not_found` */
export async function readPayment(db: Database, id: string): Promise<PaymentDetails> {
  const row = await readRow(db, id);
  const [receipt, packet, credits, refunds, disputes, refusals, events] = await Promise.all([
    findReceipt(db, id),
    row.purpose === 'packet' ? summarizePacket(db, id) : null,
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
  return { ...row, receipt, packet, credit, refunds, disputes, refusals, events };
}

type Row = Omit<
  PaymentDetails,
  'receipt' | 'packet' | 'credit' | 'refunds' | 'disputes' | 'refusals' | 'events'
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
  /** How many need an administrator's attention. */
  attention: number;
  /** The last completed comparison with Stripe; null before the first. */
  reconciliation: Reconciliation | null;
  /** The last comparison requested by an administrator, while it is not done. */
  running: Reconciliation | null;
}

/** Summarizes all payments. */
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
    // An older one has been given up, such as when its process ended.
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

/** SQL: the condition for a status, in a form that the index on `outcome` can serve. */
function statusCondition(status: PaymentStatus): string {
  if (status === 'declined') return `payment.outcome = 'open' and ${WAS_DECLINED}`;
  if (status === 'open') return `payment.outcome = 'open' and not ${WAS_DECLINED}`;
  return `payment.outcome = '${status}'`;
}

/** How many payments that were started within the last day are settled. */
export async function countSettled(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from payment
     where created_at > clock_timestamp() - interval '1 day' and state = 'settled'`,
  );
  return rows[0]!.n;
}
