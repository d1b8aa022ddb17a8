import type { Queryable, Transaction } from '#database/pool.ts';
import { CANARY, QUEUES, type QueueName } from './catalogue.ts';
import { emit } from './emit.ts';

/**
 * Sends an event through every queue, by the way that all events take, and forgets those of more than
 * an hour ago.
 */
export async function sendCanaries(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from event_batch
     where name = 'canary.sent' and created_at < clock_timestamp() - interval '1 hour'`,
  );
  await emit(tx, CANARY, {});
}

/** Records that one came through. */
export async function receiveCanary(tx: Transaction, queue: QueueName): Promise<void> {
  await tx.query(
    `insert into canary (queue, done_at) values ($1, clock_timestamp())
     on conflict (queue) do update set done_at = excluded.done_at`,
    [queue],
  );
}

/** How many seconds ago one came through each queue; null where none ever has. */
export async function readCanaryAges(db: Queryable): Promise<Map<QueueName, number | null>> {
  const { rows } = await db.query<{ queue: string; age: number }>(
    `select queue, extract(epoch from clock_timestamp() - done_at)::float8 as age from canary`,
  );
  const ages = new Map(rows.map(({ queue, age }) => [queue, age]));
  return new Map(QUEUES.map((queue) => [queue, ages.get(queue) ?? null]));
}
