import { detachPayments } from '#accounts/credit-ledger.ts';
import type { Queryable, Transaction } from '#database/pool.ts';
import type { Receipt } from './books/receipt.ts';
import type { Payment } from './payment.ts';
import type { Refund } from './refund.ts';

type Row = Pick<
  Payment,
  | 'id'
  | 'purpose'
  | 'payment_intent_id'
  | 'email'
  | 'username'
  | 'language'
  | 'amount_ore'
  | 'refunded_ore'
  | 'service_days'
  | 'created_at'
  | 'settled_at'
  | 'cancelled_at'
  | 'cancel_reason'
  | 'consent_version'
  | 'consented_at'
> & { outcome: string; client_address: string | null };

const COLUMNS = `
  id, purpose, payment_intent_id, email, username, language, amount_ore, refunded_ore, service_days,
  created_at, settled_at, cancelled_at, cancel_reason, consent_version, consented_at, outcome,
  client_address`;

/** All payments of an account, the newest first, including those that were never paid. */
export async function exportPayments(db: Queryable, accountId: string) {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from payment where account_id = $1 order by created_at desc, id desc`,
    [accountId],
  );
  return withParts(db, rows);
}

/**
 * Registrations under an address that became no account, and packets of codes. Leaves out the network address, because a
 * stranger may have entered this e-mail address.
 */
export async function exportPaymentsUnder(db: Queryable, email: string) {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from payment where account_id is null and email = $1
     order by created_at desc, id desc`,
    [email],
  );
  return withParts(
    db,
    rows.map((row) => ({ ...row, client_address: null })),
  );
}

async function withParts(db: Queryable, rows: Row[]) {
  const parts = await readPaymentParts(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toExported(row, parts.get(row.id)));
}

interface DisputeRow {
  payment_id: string;
  status: string;
  reason: string;
  amount_ore: number;
  opened_at: Date;
}

interface PacketRow {
  payment_id: string;
  codes: number;
  organisation: string;
  organisation_number: string | null;
  expires_at: Date | null;
  used: number;
}

function toPacket(row: PacketRow | undefined) {
  if (!row) return null;
  const { payment_id: _id, expires_at, ...packet } = row;
  return { ...packet, expires_at: expires_at?.toISOString() ?? null };
}

interface DeclineRow {
  payment_id: string;
  code: string | null;
  declined_at: Date;
}

/** Receipts, refunds, disputes, packets and declined cards, by payment. */
async function readPaymentParts(db: Queryable, paymentIds: string[]) {
  const of = async <Row extends { payment_id: string }>(text: string) =>
    Map.groupBy((await db.query<Row>(text, [paymentIds])).rows, ({ payment_id }) => payment_id);
  const receipts = await of<Receipt>('select * from receipt where payment_id = any($1)');
  const refunds = await of<Refund>(
    'select * from refund where payment_id = any($1) order by created_at',
  );
  const disputes = await of<DisputeRow>(
    'select * from dispute where payment_id = any($1) order by opened_at',
  );
  const packets = await of<PacketRow>(
    `select payment_id, codes, organisation, organisation_number, expires_at,
       (select count(redeemed_at)::int from access_code
        where access_code.payment_id = code_packet.payment_id) as used
     from code_packet where payment_id = any($1)`,
  );
  const declines = await of<DeclineRow>(
    'select * from card_decline where payment_id = any($1) order by declined_at',
  );
  return new Map(
    paymentIds.map((id) => {
      const [receipt] = receipts.get(id) ?? [];
      return [
        id,
        {
          receipt: receipt ? toReceipt(receipt) : null,
          refunds: (refunds.get(id) ?? []).map(toRefund),
          disputes: (disputes.get(id) ?? []).map(toDispute),
          packet: toPacket(packets.get(id)?.[0]),
          declined_cards: (declines.get(id) ?? []).map(toDecline),
        },
      ] as const;
    }),
  );
}

function toReceipt(receipt: Receipt) {
  return {
    number: receipt.number,
    issued_at: receipt.issued_at.toISOString(),
    amount_nok: toNok(receipt.amount_ore),
    vat_nok: toNok(receipt.vat_ore),
    vat_percent: receipt.vat_percent,
    service_days: receipt.service_days,
    period_starts_at: receipt.period_start.toISOString(),
    period_ends_at: receipt.period_end.toISOString(),
    seller_name: receipt.seller_name,
    seller_organisation_number: receipt.seller_organisation_number,
    seller_address: receipt.seller_address,
  };
}

/** Leaves out the administrator who requested it, who is another person. */
function toRefund({ amount_ore, reason, state, created_at, updated_at }: Refund) {
  return {
    amount_nok: toNok(amount_ore),
    reason,
    state,
    requested_at: created_at.toISOString(),
    changed_at: updated_at.toISOString(),
  };
}

function toDispute({ status, reason, amount_ore, opened_at }: DisputeRow) {
  return { status, reason, amount_nok: toNok(amount_ore), opened_at: opened_at.toISOString() };
}

function toDecline({ code, declined_at }: DeclineRow) {
  return { code, declined_at: declined_at.toISOString() };
}

/** The records that belong to a payment. */
type PaymentParts =
  Awaited<ReturnType<typeof readPaymentParts>> extends Map<string, infer P> ? P : never;

const NONE: PaymentParts = {
  receipt: null,
  refunds: [],
  disputes: [],
  packet: null,
  declined_cards: [],
};

function toExported(row: Row, parts = NONE) {
  return {
    id: row.id,
    kind: row.purpose,
    state: row.outcome,
    begun_at: row.created_at.toISOString(),
    paid_at: row.settled_at?.toISOString() ?? null,
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    cancel_reason: row.cancel_reason,
    amount_nok: toNok(row.amount_ore),
    refunded_nok: toNok(row.refunded_ore),
    service_days: row.service_days,
    email: row.email,
    name: row.username,
    language: row.language,
    network_address: row.client_address,
    stripe_payment_intent: row.payment_intent_id,
    consent:
      row.consent_version === null
        ? null
        : { version: row.consent_version, given_at: row.consented_at!.toISOString() },
    ...parts,
  };
}

/** 14900 øre → "149.00": kroner with two decimals, never a float. */
function toNok(ore: number): string {
  const digits = String(ore).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Payment searches for an address, which are stored for a day. Leaves out the network address, because a
 * stranger may have entered this e-mail address.
 */
export async function exportSearches(db: Queryable, email: string) {
  const { rows } = await db.query<{ created_at: Date }>(
    'select created_at from payment_search where email = $1 order by created_at desc',
    [email],
  );
  return rows.map(({ created_at }) => ({ searched_at: created_at.toISOString() }));
}

/**
 * Attempts to register without payment under an address, which are stored for a day. Leaves out the
 * network address, because a stranger may have entered this e-mail address.
 */
export async function exportFreeRegistrations(db: Queryable, email: string) {
  const { rows } = await db.query<{ created_at: Date }>(
    'select created_at from free_registration where email = $1 order by created_at desc',
    [email],
  );
  return rows.map(({ created_at }) => ({ tried_at: created_at.toISOString() }));
}

/** Registrations with a code that are not complete, under an address. */
export async function exportRegistrationsWithCode(db: Queryable, email: string) {
  const { rows } = await db.query<{ reserved_at: Date }>(
    'select reserved_at from access_code where reserved_for = $1 order by reserved_at desc',
    [email],
  );
  return rows.map(({ reserved_at }) => ({ tried_at: reserved_at.toISOString() }));
}

/**
 * Removes name and address from an account's payments, and from cancelled registrations and packets under its
 * address. Keeps those of an open payment: it may be a new registration. A packet that was bought keeps them, too:
 * it is an organisation's purchase.
 *
 * @param email null when the address is unverified: another person may be paying under it
 * @param placeholder replaces the address of a registration
 */
export async function anonymizePayments(
  tx: Transaction,
  accountId: string,
  { email, placeholder }: { email: string | null; placeholder: string },
): Promise<void> {
  await tx.query(
    `with anonymized as (
       update payment
       set username = null, email = case when purpose <> 'extension' then $2 end
       where account_id = $1 or (account_id is null and state = 'cancelled' and email = $3)
       returning id)
     update code_packet set organisation = '-', organisation_number = null
     from anonymized where payment_id = anonymized.id`,
    [accountId, placeholder, email],
  );
}

/** Deletes the network addresses of payments, and registrations without payment, after a day: limits count no longer. */
export async function forgetClientAddresses(tx: Transaction): Promise<void> {
  await tx.query(
    `update payment set client_address = null
     where client_address is not null and created_at < clock_timestamp() - interval '1 day'`,
  );
  await tx.query(
    `delete from free_registration where created_at < clock_timestamp() - interval '1 day'`,
  );
}

/** A payment search covers the same time. */
const KEEP_DAYS = 30;

/** Removes name and address from registrations and packets that were never paid and created no customer. */
export async function forgetNeverPaid(tx: Transaction): Promise<void> {
  await tx.query(
    `with forgotten as (
     update payment set username = null, email = 'deleted-' || id || '@invalid'
     where purpose <> 'extension' and outcome in ('abandoned', 'cancelled')
       and account_id is null and attention is null
       and (payment_intent_id is null or intent_status = 'canceled')
       and cancelled_at < clock_timestamp() - make_interval(days => $1)
       and email not like 'deleted-%@invalid'
     returning id)
     update code_packet set organisation = '-', organisation_number = null
     from forgotten where payment_id = forgotten.id`,
    [KEEP_DAYS],
  );
}

/** Bokføringsloven § 13: https://lovdata.no/dokument/NL/lov/2004-11-19-73 */
const BOOKS_YEARS = 5;

/**
 * Deletes payments with their receipts, refunds, disputes and codes five years after the end of the accounting year
 * of their last entry (a year of Europe/Oslo). The days that they gave stay in the credit ledger.
 *
 * @param options.limit payments in the batch, so that the transaction stays small; the next call continues
 * @param options.at the time; by default the database's
 * @returns the number of payments
 */
export async function forgetOldPayments(
  tx: Transaction,
  { limit, at = null }: { limit: number; at?: Date | null },
): Promise<number> {
  const { rows } = await tx.query<{ id: string; intent: string | null }>(
    `with books as materialized (
       select (date_trunc('year', coalesce($1::timestamptz, now()) at time zone 'Europe/Oslo')
               - interval '${BOOKS_YEARS} years') at time zone 'Europe/Oslo' as kept_from)
     select payment.id, payment_intent_id as intent from payment cross join books
     where created_at < kept_from and state <> 'open' and dispute is distinct from 'open'
       and coalesce(greatest(settled_at, cancelled_at), created_at) < kept_from
       and not exists (select from refund
                       where payment_id = payment.id and refund.updated_at >= kept_from)
       and not exists (select from dispute
                       where dispute.payment_id = payment.id
                         and coalesce(closed_at, opened_at) >= kept_from)
     order by created_at limit $2 for update of payment skip locked`,
    [at, limit],
  );
  const ids = rows.map(({ id }) => id);
  await detachPayments(tx, ids);
  const tables = ['receipt', 'refund', 'dispute', 'card_decline', 'access_code', 'code_packet'];
  for (const table of tables) {
    await tx.query(`delete from ${table} where payment_id = any ($1)`, [ids]);
  }
  await tx.query('delete from stripe_event where payment_intent_id = any ($1)', [
    rows.flatMap(({ intent }) => intent ?? []),
  ]);
  await tx.query('delete from payment where id = any ($1)', [ids]);
  return ids.length;
}
