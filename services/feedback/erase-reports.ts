import type { Queryable } from '#database/pool.ts';

/** Removes what an account has reported. How often a question was reported stays. */
export async function eraseReports(db: Queryable, accountId: string): Promise<void> {
  await db.query('delete from feedback where account_id = $1', [accountId]);
}
