import type { Queryable } from './pool.ts';

/** What is counted by day, in the order of the way from the free sample to practising. */
export type DailyCount =
  | 'sample_opened'
  | 'registration_begun'
  | 'first_payment'
  | 'first_quiz'
  | 'came_back';

/**
 * Adds to a count of today, a day in Oslo. It is a number without identifiers, so what is deleted later does not change it.
 *
 * Transactions with the same count wait for each other: call it when all other locks are held.
 */
export async function countToday(db: Queryable, name: DailyCount, count = 1): Promise<void> {
  await db.query(
    `insert into daily_count (day, name, count)
     values ((now() at time zone 'Europe/Oslo')::date, $1, $2)
     on conflict (day, name) do update set count = daily_count.count + excluded.count`,
    [name, count],
  );
}
