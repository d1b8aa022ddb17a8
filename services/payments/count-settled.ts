import type { Queryable } from '#database/pool.ts';

/** How many payments that were begun within the last day became service days. */
export async function countSettled(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from payment
     where created_at > clock_timestamp() - interval '1 day' and state = 'settled'`,
  );
  return rows[0]!.n;
}
