import { createHmac } from 'node:crypto';
import type { Queryable, Transaction } from '#database/pool.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import type { StripeState } from '#payments/stripe/stripe-state.ts';

// Who did not ask for the service to start at once withdraws for the whole amount (angrerettloven § 26). So
// that the service is not used for nothing again and again, an address or a card that has withdrawn once
// gets its days after the withdrawal period when it pays without that consent.

/** How long a withdrawal is remembered; `/personvern` says so. */
const KEPT_YEARS = 2;

/** An address of a deleted account, which is no one's. */
const PLACEHOLDER = /@invalid$/;

/**
 * What an e-mail address and the card of a payment are remembered by: HMAC-SHA-256, in hexadecimal digits.
 * Without the key, trying addresses does not tell whose they are.
 *
 * The card is Stripe's fingerprint of it, the same for every payment with this card to one Stripe account:
 * https://docs.stripe.com/api/charges/object#charge_object-payment_method_details-card-fingerprint
 *
 * @param email null for none
 * @param seen what Stripe says of the payment; left out where only the address counts
 */
export function marksOf(key: string, email: string | null, seen?: StripeState): string[] {
  const address = email?.trim().normalize('NFC').toLowerCase();
  const charge = seen?.intent.latest_charge;
  const card = typeof charge === 'object' ? charge?.payment_method_details?.card : null;
  const values: string[] = [];
  if (address && !PLACEHOLDER.test(address)) values.push(`email:${address}`);
  if (card?.fingerprint) values.push(`card:${card.fingerprint}`);
  return values.map((value) => createHmac('sha256', key).update(value).digest('hex'));
}

/** Remembers that they withdrew from a purchase at a moment. Said again, it changes nothing. */
export async function rememberWithdrawal(
  tx: Transaction,
  marks: readonly string[],
  withdrawnAt: Date,
): Promise<void> {
  await tx.query(
    `insert into withdrawal_mark (hash, withdrawn_at)
     select distinct hash, $2::timestamptz from unnest($1::text[]) as hash order by hash
     on conflict (hash) do update
       set withdrawn_at = greatest(withdrawal_mark.withdrawn_at, excluded.withdrawn_at)`,
    [marks, withdrawnAt],
  );
}

/** Whether one of them has withdrawn from a purchase within the last two years. */
export async function haveWithdrawn(db: Queryable, marks: readonly string[]): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from withdrawal_mark
     where hash = any ($1) and withdrawn_at > clock_timestamp() - make_interval(years => $2) limit 1`,
    [marks, KEPT_YEARS],
  );
  return rowCount === 1;
}

/** When an address last withdrew from a purchase, as far as it is remembered; null for never. */
export async function exportWithdrawal(
  { db, withdrawalKey }: Pick<PaymentDeps, 'db' | 'withdrawalKey'>,
  email: string,
): Promise<string | null> {
  const { rows } = await db.query<{ withdrawn_at: Date }>(
    'select withdrawn_at from withdrawal_mark where hash = any ($1)',
    [marksOf(withdrawalKey, email)],
  );
  return rows[0]?.withdrawn_at.toISOString() ?? null;
}

/** Deletes those that are too old to count. */
export async function forgetWithdrawals(tx: Transaction): Promise<void> {
  await tx.query(
    'delete from withdrawal_mark where withdrawn_at <= clock_timestamp() - make_interval(years => $1)',
    [KEPT_YEARS],
  );
}
