import type { Queryable } from './pool.ts';

/** Whether the database answers a query now. */
export async function isReachable(db: Queryable): Promise<boolean> {
  return db.query('select 1').then(
    () => true,
    () => false,
  );
}
