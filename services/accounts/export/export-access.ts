import { readCredits } from '#accounts/credit-ledger.ts';
import type { Queryable } from '#database/pool.ts';

/** The days that an account was given, in the order in which they are used up. */
export async function exportAccess(db: Queryable, accountId: string) {
  const credits = await readCredits(db, accountId);
  const { rows } = await db.query<{ id: string; note: string | null; credited_at: Date }>(
    `select credit.id, note, credited_at
     from credit left join service_grant on service_grant.id = grant_id
     where account_id = $1 order by coalesce(begins_at, credited_at), credit.id`,
    [accountId],
  );
  return credits.map(({ payment_id, days, days_taken_back, starts_at, ends_at }, index) => ({
    given_for: payment_id === null ? ('grant' as const) : ('payment' as const),
    payment_id,
    note: rows[index]?.note ?? null,
    given_at: (rows[index]?.credited_at ?? starts_at).toISOString(),
    days,
    days_taken_back,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at.toISOString(),
  }));
}
