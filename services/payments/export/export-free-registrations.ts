import type { Queryable } from '#database/pool.ts';

/**
 * Tries to register without paying under an address; they are kept for a day. From where is left
 * out: anybody can try with any address.
 */
export async function exportFreeRegistrations(db: Queryable, email: string) {
  const { rows } = await db.query<{ created_at: Date }>(
    'select created_at from free_registration where email = $1 order by created_at desc',
    [email],
  );
  return rows.map(({ created_at }) => ({ tried_at: created_at.toISOString() }));
}
