import type { Queryable } from '#database/pool.ts';
import type { Attention, Payment } from '#payments/payment.ts';
import { STATUS, statusCondition, type PaymentStatus } from './payment-status.ts';

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
export interface PaymentFilter {
  status: PaymentStatus | undefined;
  /** Only those that a person must look at. */
  attention: boolean;
  /** A PaymentIntent's id, a payment's id, a receipt's number, or part of an address. */
  search: string | undefined;
  /** Only what lies before the payment of this id. */
  before: string | undefined;
}

export interface PaymentPage {
  payments: ListedPayment[];
  /** `before` of the next page; null when there is none. */
  next_before: string | null;
}

const PAGE_SIZE = 50;

/** The columns of a `ListedPayment`, from `LISTED_FROM`. */
export const LISTED = `
  payment.id, payment.created_at, payment.settled_at as paid_at,
  case when payment.email not like 'deleted-%@invalid' then payment.email end as email,
  payment.purpose, payment.amount_ore as amount, payment.service_days as days,
  ${STATUS} as status, payment.refunded_ore as refunded, payment.dispute, payment.attention,
  receipt.number as receipt_number,
  (select count(*)::int from card_decline where payment_id = payment.id) as declines,
  payment.payment_intent_id`;

/** Payments, the newest first, a page at a time. */
export async function listPayments(db: Queryable, filter: PaymentFilter): Promise<PaymentPage> {
  const wanted = filter.search?.trim() ?? '';
  const search = wanted ? searchCondition(wanted) : null;
  // A whole address is that learner's; there may be longer ones that end with it.
  const exact = ADDRESS.test(wanted) ? await readPage(db, filter, wholeAddress(wanted)) : [];
  if (exact.length > 0) return toPage(exact);
  // Part of an address that many have is found among the newest; for one that few have there is an
  // index, which would be slow for the many.
  const recent = search?.isPart ? await readPage(db, filter, search, RECENT) : [];
  return toPage(recent.length > PAGE_SIZE ? recent : await readPage(db, filter, search));
}

function toPage(rows: ListedPayment[]): PaymentPage {
  const payments = rows.slice(0, PAGE_SIZE);
  return { payments, next_before: rows.length > PAGE_SIZE ? payments.at(-1)!.id : null };
}

/** Payments that are looked at one by one. */
const RECENT = 5_000;

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
    `select ${LISTED}
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

interface SearchCondition {
  sql: (parameter: (value: string) => string) => string;
  /** Of an address. */
  isPart: boolean;
}

const ADDRESS = /^[^@\s]+@[^@\s]+[.][^@\s]+$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** No receipt has a longer number, and no bigint overflows. */
const NUMBER = /^\d{1,15}$/;
/** Shorter parts have no trigram, and are looked for at the beginning of the address only. */
const SHORTEST_PART = 3;

function wholeAddress(address: string): SearchCondition {
  return { isPart: false, sql: (p) => `email = ${p(address.toLowerCase())}` };
}

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
  const pattern = part.length < SHORTEST_PART ? `${literal}%` : `%${literal}%`;
  // What stands in place of a deleted learner's address is nobody's.
  const sql: SearchCondition['sql'] = (p) =>
    `email like ${p(pattern)} and strpos(email, ${p(part)}) > 0 and email not like 'deleted-%@invalid'`;
  return { isPart: true, sql };
}

/** What is looked up in the index: without a domain, whose letters are in most addresses. */
function indexedPart(part: string): string {
  const local = part.slice(0, part.indexOf('@') + 1);
  return local.length > SHORTEST_PART ? local : part;
}
