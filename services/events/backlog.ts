import type { Queryable } from '#database/pool.ts';

export interface Backlog {
  /** Events that no relay has taken yet. */
  outbox_events: number;
  /** Seconds since the oldest event that some queue has not consumed; 0 when there is none. */
  oldest_unconsumed_seconds: number;
}

/** How far the queues are behind the database. */
export async function readBacklog(db: Queryable): Promise<Backlog> {
  const { rows } = await db.query<Backlog>(
    `select (select count(*) from outbox)::int as outbox_events,
       coalesce(extract(epoch from clock_timestamp() - least(
         (select min(created_at) from outbox),
         (select min(batch.created_at) from event_delivery delivery
          join event_batch batch on batch.id = delivery.batch_id
          where delivery.done_at is null))), 0)::float8 as oldest_unconsumed_seconds`,
  );
  return rows[0]!;
}
