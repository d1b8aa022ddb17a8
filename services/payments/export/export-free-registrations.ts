import type { Queryable } from '#database/pool.ts';

/** Tries to register without paying under an address; they are kept for a day. */
export async function exportFreeRegistrations(db: Queryable, email: string) {
  const { rows } = await db.query<{ created_at: Date; client_address: string | null }>(
    `select created_at, client_address from free_registration where email = $1
     order by created_at desc`,
    [email],
  );
  return rows.map(({ created_at, client_address }) => ({
    tried_at: created_at.toISOString(),
    network_address: client_address,
  }));
}
