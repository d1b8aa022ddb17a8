import type { Queryable } from '#database/pool.ts';

/** How many events no relay has taken yet. */
export async function countOutbox(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>('select count(*)::int as n from outbox');
  return rows[0]!.n;
}

/** Seconds since the oldest event that no relay has taken; 0 when there is none. */
export async function oldestInOutboxSeconds(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as seconds
     from outbox`,
  );
  return rows[0]!.seconds;
}

/** Seconds since the oldest event that some queue has not consumed; 0 when there is none. */
export async function oldestUnconsumedSeconds(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select coalesce(extract(epoch from clock_timestamp() - least(
       (select min(created_at) from outbox),
       (select min(batch.created_at) from event_delivery delivery
        join event_batch batch on batch.id = delivery.batch_id
        where delivery.done_at is null))), 0)::float8 as seconds`,
  );
  return rows[0]!.seconds;
}
