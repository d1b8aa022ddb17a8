import type { Queryable } from '#database/pool.ts';

/** What administrators did to the user of an address, the newest first; who they are is left out. */
export async function exportEntries(db: Queryable, email: string) {
  const { rows } = await db.query<{ at: Date; action: string }>(
    'select at, action from audit_entry where subject = $1 order by id desc',
    [email],
  );
  return rows.map(({ at, action }) => ({ done_at: at.toISOString(), action }));
}
