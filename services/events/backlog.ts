import type { Queryable } from '#database/pool.ts';
import { QUEUES } from './catalogue.ts';

/** What waits on the way from an event to its end. Ages are in seconds, 0 when nothing waits. */
export interface Backlog {
  /** Events that no relay has taken; 100,001 stands for more than a hundred thousand. */
  outboxEvents: number;
  outboxOldestSeconds: number;
  oldestByQueue: Record<string, number>;
  oldestUnconsumedSeconds: number;
}

/**
 * Reads it in one statement that stays small however much waits. Beyond a hundred thousand deliveries
 * only the longest handed over are looked at.
 */
export async function readBacklog(db: Queryable): Promise<Backlog> {
  const { rows } = await db.query<{
    events: number;
    oldest: number;
    queues: Record<string, number>;
  }>(
    `select
       (select count(*)::int from (select from outbox limit 100001) as waiting) as events,
       -- Ids are in the order of time.
       coalesce((select extract(epoch from clock_timestamp() - created_at)
                 from outbox order by id limit 1), 0)::float8 as oldest,
       (select coalesce(jsonb_object_agg(queue, age), '{}') from (
          select queue, extract(epoch from clock_timestamp() - min(batch.created_at))::float8 as age
          from (select batch_id, queue from event_delivery where done_at is null
                order by published_at limit 100001) as undone
          join event_batch batch on batch.id = undone.batch_id
          group by queue) as ages) as queues`,
  );
  const { events, oldest, queues } = rows[0]!;
  const idle = Object.fromEntries(QUEUES.map((queue) => [queue, 0]));
  return {
    outboxEvents: events,
    outboxOldestSeconds: oldest,
    oldestByQueue: { ...idle, ...queues },
    oldestUnconsumedSeconds: Math.max(oldest, ...Object.values(queues)),
  };
}
