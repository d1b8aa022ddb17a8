import type { Queryable } from '#database/pool.ts';

/** How many accounts were made within the last day. */
export async function countRegistered(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from account where id > (select uuidv7(interval '-1 day'))`,
  );
  return rows[0]!.n;
}
