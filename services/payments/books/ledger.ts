import { stringify } from 'csv-stringify/sync';
import type { MoneyFigures, MoneyResponse } from '@proveklar/contract/money.ts';
import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { BYTE_ORDER_MARK, EXCEL_CSV } from '#csv/csv.ts';
import { type Database, type Queryable, withTransaction } from '#database/pool.ts';

// The accounts: an entry for each receipt, and for what refunds and disputes took from it or gave back. Read from the
// books; Stripe's balance only adds the fees, and is compared with them.

/** SQL: an instant as a day in Oslo. */
const dayOf = (column: string) => `(${column} at time zone 'Europe/Oslo')::date`;
/** SQL: midnight in Oslo at the beginning of a day. */
const midnight = (day: string) => `(${day}::timestamp at time zone 'Europe/Oslo')`;

/** SQL: the VAT in an amount, by the rate of its receipt. As the receipt has it. */
const vatIn = (ore: string) =>
  `round((${ore})::numeric * receipt.vat_percent / (100 + receipt.vat_percent))`;

/**
 * SQL: what went back of a payment and what came again, oldest first, with the sum so far. Refunds that Stripe never made
 * moved no money. A bank's inquiry (`warning_…`) moves none either; a dispute does, until it is won.
 */
const RETURNED = `
  select moved.*, sum(ore) over (
    partition by payment_id order by at, ore desc, reference rows unbounded preceding)::int as returned_ore
  from (
    select payment_id, 'refund' as kind, reason, stripe_refund_id as reference,
      coalesce(made_at, created_at) as at, amount_ore as ore
    from refund where state <> 'requested' and stripe_refund_id is not null
    union all
    select payment_id, 'refund_failed', reason, stripe_refund_id, updated_at, -amount_ore
    from refund where state in ('failed', 'cancelled') and stripe_refund_id is not null
    union all
    select payment_id, 'dispute', reason, stripe_dispute_id, opened_at, amount_ore
    from dispute where ${movesMoney('status')}
    union all
    select payment_id, 'dispute_won', reason, stripe_dispute_id,
      coalesce(closed_at, opened_at), -amount_ore
    from dispute where status = 'won') moved`;

function movesMoney(status: string): string {
  return `${status} not like 'warning%' and ${status} <> 'prevented'`;
}

const BETWEEN = (at: string) =>
  `${at} >= ${midnight('$1::date')} and ${at} < ${midnight('$2::date')}`;

/** SQL: the entries from day $1 to before day $2. Amounts are negative when money leaves. */
const ENTRIES = `
  select issued_at as at, 'sale' as kind, null as reason, payment.payment_intent_id as reference,
    receipt.payment_id, receipt.number, receipt.vat_percent, payment.method,
    receipt.amount_ore, receipt.vat_ore
  from receipt join payment on payment.id = receipt.payment_id
  where ${BETWEEN('issued_at')}
  union all
  select returned.at, returned.kind, returned.reason, returned.reference,
    receipt.payment_id, receipt.number, receipt.vat_percent, payment.method, -returned.ore,
    (${vatIn('returned_ore - ore')} - ${vatIn('returned_ore')})::int
  from (${RETURNED}) returned
  join receipt on receipt.payment_id = returned.payment_id
  join payment on payment.id = receipt.payment_id
  where ${BETWEEN('returned.at')}`;

/** SQL: the sums of entries. */
const FIGURES = `
  count(*) filter (where kind = 'sale')::int as sales,
  coalesce(sum(amount_ore) filter (where kind = 'sale'), 0) as gross,
  -coalesce(sum(amount_ore) filter (where kind in ('refund', 'refund_failed')), 0) as refunded,
  -coalesce(sum(amount_ore) filter (where kind in ('dispute', 'dispute_won')), 0) as disputed,
  coalesce(sum(vat_ore), 0) as vat, coalesce(sum(amount_ore - vat_ore), 0) as net`;

/** A span of days: from the first to before the last, as `2026-03-01`. */
interface Span {
  from: string;
  to: string;
  /** What a row of the figures is. */
  unit: 'day' | 'month';
}

/** The days of a year (`2026`, by month) or of a month (`2026-03`, by day). */
export function spanOf(period: string): Span {
  const [year, month] = period.split('-').map(Number) as [number, number?];
  const day = (y: number, m: number) => new Date(Date.UTC(y, m, 1)).toISOString().slice(0, 10);
  return month === undefined
    ? { from: day(year, 0), to: day(year + 1, 0), unit: 'month' }
    : { from: day(year, month - 1), to: day(year, month), unit: 'day' };
}

type Row<Key> = Key & Omit<MoneyFigures, 'fees'>;

/** The figures of a period by month or day, and by method; and whether the books agree with Stripe. */
export async function readMoney(
  db: Database,
  period: string,
): Promise<Omit<MoneyResponse, 'stripe'> & { stripe: Comparison }> {
  const span = spanOf(period);
  const [stripe, rows, total, methods, fees, first] = await Promise.all([
    compareWithStripe(db),
    readRows(db, span),
    select<Row<object>>(db, `select ${FIGURES} from (${ENTRIES}) entry`, span),
    select<Row<{ method: string | null }>>(
      db,
      `select method, ${FIGURES} from (${ENTRIES}) entry group by method order by gross desc, method`,
      span,
    ),
    readFees(db, span),
    db.query<{ year: number | null }>(
      `select extract(year from min(issued_at) at time zone 'Europe/Oslo')::int as year from receipt`,
    ),
  ]);
  const isKnown = stripe.readAt !== null;
  const withFees = <Key extends object>(row: Row<Key>, fee: number | undefined) => ({
    ...row,
    fees: isKnown ? (fee ?? 0) : null,
  });
  const sum = fees.reduce((all, { fee }) => all + fee, 0);
  return {
    rows: rows.map((row) => withFees(row, sumOf(fees, 'period', row.period))),
    total: withFees(total[0]!, sum),
    methods: methods.map((row) => withFees(row, sumOf(fees, 'method', row.method))),
    first_year: first.rows[0]!.year,
    stripe,
  };
}

async function select<T extends object>(db: Queryable, sql: string, { from, to }: Span) {
  const { rows } = await db.query<T>(sql, [from, to]);
  return rows;
}

const FORMATS = { day: 'YYYY-MM-DD', month: 'YYYY-MM' };

/** SQL: the periods of a span up to today, as texts. */
const periodsOf = (unit: Span['unit']) => `
  select to_char(first, '${FORMATS[unit]}') as period
  from generate_series($1::date::timestamp, least($2::date - 1, ${dayOf('now()')})::timestamp,
    interval '1 ${unit}') first`;

/** A row for each month or day, also without sales. */
function readRows(db: Queryable, span: Span): Promise<Row<{ period: string }>[]> {
  const { unit } = span;
  return select(
    db,
    `select listed.period, ${FIGURES}
     from (${periodsOf(unit)}) listed
     left join (${ENTRIES}) entry on to_char(${dayOf('entry.at')}, '${FORMATS[unit]}') = listed.period
     group by listed.period order by listed.period desc`,
    span,
  );
}

interface Fee {
  period: string;
  method: string | null;
  fee: number;
}

function readFees(db: Queryable, span: Span): Promise<Fee[]> {
  return select(
    db,
    `select to_char(${dayOf('moved.created_at')}, '${FORMATS[span.unit]}') as period, method,
       sum(fee_ore) as fee
     from balance_transaction moved join payment on payment.id = moved.payment_id
     where ${BETWEEN('moved.created_at')} group by 1, 2`,
    span,
  );
}

function sumOf(fees: readonly Fee[], by: 'period' | 'method', value: string | null): number {
  return fees.filter((one) => one[by] === value).reduce((sum, { fee }) => sum + fee, 0);
}

interface Comparison extends Omit<MoneyResponse['stripe'], 'read_at'> {
  /** When Stripe's balance was last read; null for never. */
  readAt: Date | null;
}

const MAX_DIFFERENCES = 20;

/**
 * Compares each payment's sum in our books with that in Stripe's balance. A payment that moved money after the balance was
 * read waits for the next reading. A million payments take seconds, so call it rarely.
 */
async function compareWithStripe(db: Queryable): Promise<Comparison> {
  const { rows } = await db.query<{
    read_at: Date;
    compared: number;
    differing: number;
    differences: Comparison['differences'];
  }>(
    `with own as (
       select payment_id, sum(ore) as ore, max(at) as at from (
         select payment_id, amount_ore as ore, issued_at as at from receipt
         union all
         select payment_id, -ore, at from (${RETURNED}) returned
         where exists (select from receipt where receipt.payment_id = returned.payment_id)) entry
       group by payment_id),
     theirs as (
       select payment_id, sum(amount_ore) as ore, max(created_at) as at
       from balance_transaction group by payment_id),
     compared as (
       select payment_id, coalesce(own.ore, 0) as books, coalesce(theirs.ore, 0) as stripe
       from own full join theirs using (payment_id), balance_reading
       where greatest(own.at, theirs.at) < read_at - interval '1 minute'),
     differing as (
       select payment_id, receipt.number as receipt_number, books, stripe
       from compared left join receipt using (payment_id) where books <> stripe)
     select read_at, (select count(*)::int from compared) as compared,
       (select count(*)::int from differing) as differing,
       coalesce((select jsonb_agg(to_jsonb(shown)) from (
         select * from differing order by payment_id desc limit ${MAX_DIFFERENCES}) shown), '[]')
         as differences
     from balance_reading`,
  );
  const { read_at: readAt = null, ...found } = rows[0] ?? {};
  return { readAt, compared: 0, differing: 0, differences: [], ...found };
}

interface CsvEntry {
  /** In Oslo: `14.03.2026` and `13:05`. */
  day: string;
  time: string;
  kind: keyof typeof KINDS;
  reason: string | null;
  number: number;
  amount_ore: number;
  vat_percent: number;
  vat_ore: number;
  method: string | null;
  fee_ore: number | null;
  payment_id: string;
  reference: string;
}

/** The file is for accountants in Norway, so it is in Norwegian. */
const KINDS = {
  sale: 'Salg',
  refund: 'Tilbakebetaling',
  refund_failed: 'Tilbakebetaling som ikke gikk gjennom',
  dispute: 'Klage til banken',
  dispute_won: 'Klage til banken, vunnet',
};
const METHODS: Record<string, string> = {
  card: 'Kort',
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  link: 'Link',
  vipps: 'Vipps',
};
const REASONS: Record<string, string> = {
  withdrawal: 'Angrerett',
  administrator: 'Administrator',
  stripe: 'Gjort i Stripe',
  // Of disputes: https://docs.stripe.com/api/disputes/object#dispute_object-reason
  bank_cannot_process: 'Banken kan ikke behandle betalingen',
  check_returned: 'Sjekken ble returnert',
  credit_not_processed: 'Har ikke fått pengene tilbake',
  customer_initiated: 'Kunden har klaget',
  debit_not_authorized: 'Har ikke godkjent trekket',
  duplicate: 'Betalt to ganger',
  fraudulent: 'Har ikke godkjent betalingen (svindel)',
  general: 'Ingen særskilt grunn',
  incorrect_account_details: 'Gale kontoopplysninger',
  insufficient_funds: 'Ikke nok penger på kontoen',
  noncompliant: 'Bryter reglene til kortselskapet',
  product_not_received: 'Har ikke fått det som ble kjøpt',
  product_unacceptable: 'Ikke fornøyd med det som ble kjøpt',
  subscription_canceled: 'Har sagt opp abonnementet',
  unrecognized: 'Kjenner ikke igjen betalingen',
};
const HEADER = [
  'Dato',
  'Klokkeslett',
  'Type',
  'Grunn',
  'Kvittering',
  'Beløp med mva.',
  'Mva.-sats',
  'Mva.',
  'Beløp uten mva.',
  'Gebyr hos Stripe',
  'Betalingsmåte',
  'Betaling',
  'Referanse hos Stripe',
];

/** 14900 → "149,00", as Excel in Norwegian reads a number. */
function decimalComma(ore: number): string {
  const digits = String(Math.abs(ore)).padStart(3, '0');
  return `${ore < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`;
}

const toCells = (entry: CsvEntry) => [
  entry.day,
  entry.time,
  KINDS[entry.kind],
  entry.reason === null ? '' : (REASONS[entry.reason] ?? entry.reason),
  entry.number,
  decimalComma(entry.amount_ore),
  entry.vat_percent,
  decimalComma(entry.vat_ore),
  decimalComma(entry.amount_ore - entry.vat_ore),
  entry.fee_ore === null ? '' : decimalComma(entry.fee_ore),
  entry.method === null ? '' : (METHODS[entry.method] ?? entry.method),
  entry.payment_id,
  entry.reference,
];

/** Records the export in the audit log. Call it before the first part is sent. */
export async function recordLedgerExport(
  db: Database,
  { actor, period }: { actor: Actor; period: string },
): Promise<void> {
  await withTransaction(db, (tx) =>
    recordAction(tx, { actor, action: 'ledger.exported', subject: period }),
  );
}

/**
 * The entries of a year or month as a CSV file for an accountant: semicolons, decimal commas, a byte-order mark. Without
 * names and addresses. In memory is a month at a time.
 */
export async function* exportLedger(db: Queryable, period: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + stringify([HEADER], EXCEL_CSV);
  const { unit } = spanOf(period);
  const months =
    unit === 'day'
      ? [period]
      : Array.from({ length: 12 }, (_, n) => `${period}-${String(n + 1).padStart(2, '0')}`);
  for (const month of months) {
    const entries = await select<CsvEntry>(
      db,
      `select to_char(at at time zone 'Europe/Oslo', 'DD.MM.YYYY') as day,
         to_char(at at time zone 'Europe/Oslo', 'HH24:MI') as time, kind, reason, number,
         entry.amount_ore, vat_percent, vat_ore, method, entry.payment_id, reference,
         (select sum(fee_ore)::int from balance_transaction moved
          where moved.payment_id = entry.payment_id and case kind
            when 'sale' then moved.category = 'charge'
            when 'refund' then moved.source = reference and moved.category = 'refund'
            when 'dispute' then moved.source = reference and moved.category = 'dispute'
            when 'dispute_won' then moved.source = reference and moved.category = 'dispute_reversal'
            else moved.source = reference and moved.category not in ('charge', 'refund') end) as fee_ore
       from (${ENTRIES}) entry order by at, number, kind, reference`,
      spanOf(month),
    );
    if (entries.length > 0) yield stringify(entries.map(toCells), EXCEL_CSV);
  }
}
