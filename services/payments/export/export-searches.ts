import type { Queryable } from '#database/pool.ts';

/** Searches for the payments of an address; they are kept for a day. */
export async function exportSearches(db: Queryable, email: string) {
  const { rows } = await db.query<{ created_at: Date; client_address: string | null }>(
    `select created_at, client_address from payment_search where email = $1
     order by created_at desc`,
    [email],
  );
  return rows.map(({ created_at, client_address }) => ({
    searched_at: created_at.toISOString(),
    network_address: client_address,
  }));
}
