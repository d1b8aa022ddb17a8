import type { Queryable } from '#database/pool.ts';

/** What administrators did to the user of an address, and why; the newest first. Who they are is left out. */
export async function exportEntries(db: Queryable, email: string) {
  const { rows } = await db.query<{ at: Date; action: string; note: string | null }>(
    `select at, action, details ->> 'note' as note from audit_entry
     where subject = $1 order by id desc`,
    [email],
  );
  return rows.map(({ at, ...entry }) => ({ done_at: at.toISOString(), ...entry }));
}
