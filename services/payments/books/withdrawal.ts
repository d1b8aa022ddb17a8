import { createHmac } from 'node:crypto';
import type { Queryable, Transaction } from '#database/pool.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import type { StripeState } from '#payments/provider/stripe.ts';

const TIME_ZONE = 'Europe/Oslo';
const DAY_MS = 24 * 60 * 60 * 1000;
const WITHDRAWAL_DAYS = 14;

/**
 * The last millisecond of the withdrawal period: the end, in Norway, of the 14th day after the day of
 * the purchase (angrerettloven § 21: 14 days, for services from the day after the agreement). A last day
 * on a Saturday, Sunday or public holiday moves to the next working day.
 *
 * https://lovdata.no/dokument/NL/lov/2014-06-20-27
 */
export function withdrawalDeadline(purchasedAt: Date): Date {
  let day = dayInNorway(purchasedAt) + WITHDRAWAL_DAYS * DAY_MS;
  while (isDayOff(day)) day += DAY_MS;
  return new Date(midnightInNorway(day + DAY_MS) - 1);
}

/** The calendar day of a moment in Norway, as midnight in UTC. */
function dayInNorway(moment: Date): number {
  return Date.parse(new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE }).format(moment));
}

const FIXED_HOLIDAYS = new Set(['01-01', '05-01', '05-17', '12-25', '12-26']);
/** From Maundy Thursday to Whit Monday, in days after Easter Sunday. */
const MOVABLE_HOLIDAYS = new Set([-3, -2, 0, 1, 39, 49, 50]);

function isDayOff(day: number): boolean {
  const date = new Date(day);
  const daysAfterEaster = (day - easterSunday(date.getUTCFullYear())) / DAY_MS;
  return (
    [0, 6].includes(date.getUTCDay()) ||
    FIXED_HOLIDAYS.has(date.toISOString().slice(5, 10)) ||
    MOVABLE_HOLIDAYS.has(daysAfterEaster)
  );
}

/** Gauss's algorithm for 1900 to 2099; after that holidays are at most one week off. */
function easterSunday(year: number): number {
  const moon = (19 * (year % 19) + 24) % 30;
  const sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7;
  const late = (moon === 29 && sunday === 6) || (moon === 28 && sunday === 6 && year % 19 > 10);
  return Date.UTC(year, 2, 22 + moon + sunday - (late ? 7 : 0));
}

/** The start of a calendar day in Norway. Clock changes are never at midnight. */
function midnightInNorway(day: number): number {
  const hour = new Intl.DateTimeFormat('en-GB', {
    timeZone: TIME_ZONE,
    hour: 'numeric',
    hourCycle: 'h23',
  });
  return day - Number(hour.format(day)) * 60 * 60 * 1000;
}

/** The placeholder address of a deleted account. */
const DELETED_ADDRESS = /@invalid$/;

/**
 * The hashes that remember an e-mail address and the card of a payment: HMAC-SHA-256, in hexadecimal.
 * Without the key, the addresses cannot be found by trying.
 *
 * The card is identified by Stripe's fingerprint, which is the same for every payment with it to one
 * Stripe account:
 * https://docs.stripe.com/api/charges/object#charge_object-payment_method_details-card-fingerprint
 *
 * @param stripeState of the payment; omit it to hash only the address
 */
export function withdrawalHashesOf(
  key: string,
  email: string | null,
  stripeState?: StripeState,
): string[] {
  const address = email?.trim().normalize('NFC').toLowerCase();
  const charge = stripeState?.intent.latest_charge;
  const card = typeof charge === 'object' ? charge?.payment_method_details?.card : null;
  const values: string[] = [];
  if (address && !DELETED_ADDRESS.test(address)) values.push(`email:${address}`);
  if (card?.fingerprint) values.push(`card:${card.fingerprint}`);
  return values.map((value) => createHmac('sha256', key).update(value).digest('hex'));
}

/** Remembers the time of a withdrawal under these hashes. Idempotent. */
export async function rememberWithdrawal(
  tx: Transaction,
  hashes: readonly string[],
  withdrawnAt: Date,
): Promise<void> {
  await tx.query(
    `insert into withdrawal_mark (hash, withdrawn_at)
     select distinct hash, $2::timestamptz from unnest($1::text[]) as hash order by hash
     on conflict (hash) do update
       set withdrawn_at = greatest(withdrawal_mark.withdrawn_at, excluded.withdrawn_at)`,
    [hashes, withdrawnAt],
  );
}

// A learner who did not consent to an immediate start gets the whole amount back on withdrawal
// (angrerettloven § 26). To prevent repeated free use, the days of an address or card with an earlier
// withdrawal start only after the withdrawal period, unless the learner consents.

/** How long a withdrawal is remembered. The privacy page (`/personvern`) states it. */
const REMEMBERED_YEARS = 2;

/** Whether one of the hashes has a withdrawal within the last two years. */
export async function haveWithdrawn(db: Queryable, hashes: readonly string[]): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from withdrawal_mark
     where hash = any ($1) and withdrawn_at > clock_timestamp() - make_interval(years => $2) limit 1`,
    [hashes, REMEMBERED_YEARS],
  );
  return rowCount === 1;
}

/** When an address last withdrew from a purchase; null for never, or no longer remembered. */
export async function exportWithdrawal(
  { db, withdrawalKey }: Pick<PaymentDeps, 'db' | 'withdrawalKey'>,
  email: string,
): Promise<string | null> {
  const { rows } = await db.query<{ withdrawn_at: Date }>(
    'select withdrawn_at from withdrawal_mark where hash = any ($1)',
    [withdrawalHashesOf(withdrawalKey, email)],
  );
  return rows[0]?.withdrawn_at.toISOString() ?? null;
}

/** Deletes withdrawals that are too old to count. */
export async function forgetWithdrawals(tx: Transaction): Promise<void> {
  await tx.query(
    'delete from withdrawal_mark where withdrawn_at <= clock_timestamp() - make_interval(years => $1)',
    [REMEMBERED_YEARS],
  );
}
