import type { Queryable } from '#database/pool.ts';

/**
 * Searches for the payments of an address; they are kept for a day. From where is left out: anybody
 * can search for any address.
 */
export async function exportSearches(db: Queryable, email: string) {
  const { rows } = await db.query<{ created_at: Date }>(
    'select created_at from payment_search where email = $1 order by created_at desc',
    [email],
  );
  return rows.map(({ created_at }) => ({ searched_at: created_at.toISOString() }));
}
