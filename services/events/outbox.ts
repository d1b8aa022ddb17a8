import Value from 'typebox/value';
import { eventsTaken } from '#counters/counters.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { type EventName, type EventPayload, EVENTS, type QueueName } from './catalogue.ts';
import type { QueueBackend } from './queue-backend.ts';

/**
 * Puts an event into the outbox, in the transaction that makes the change: both commit or neither.
 *
 * @throws when the payload does not match the catalogue (a fault in our code)
 */
export async function emit<N extends EventName>(
  tx: Transaction,
  name: N,
  payload: EventPayload<N>,
): Promise<void> {
  Value.Assert(EVENTS[name].payload, payload);
  await tx.query('insert into outbox (name, payload, trace) values ($1, $2, $3)', [
    name,
    payload,
    outboxTrace(),
  ]);
}

/** A batch for one queue. */
export interface Delivery {
  batch_id: string;
  event: EventName;
  queue: QueueName;
  /** The request that caused the event; only for a batch of one event that was just taken. */
  trace?: unknown;
}

/** A batch that was just taken out of the outbox, with its queues. */
interface TakenBatch extends Omit<Delivery, 'queue'> {
  size: number;
  queues: QueueName[];
}

const BATCHED = Object.entries(EVENTS).flatMap(([name, event]) => (event.batch ? [name] : []));

const ROUTES = Object.entries(EVENTS).flatMap(([name, event]) =>
  event.queues.map((queue) => ({ name, queue })),
);

/** An array of names from the catalogue, which need no escaping, as SQL. */
const inSql = (names: readonly string[]) => `'{${names.join(',')}}'::text[]`;

// An event that this version does not know stays in the outbox for a relay that knows it: during a
// deployment the writer may already be newer.
//
// One statement, so that a relay killed at any point has either taken the events or not. It skips rows
// that another relay is taking. An event that is not batched travels alone, and its batch has its id.
//
// Deletes by ctid: to find the rows again by id, PostgreSQL may plan to read the whole table, which is mostly empty
// when it is analyzed. The rows are locked, so their ctid cannot change.
//
// The catalogue is part of the text: as parameters, its arrays would be sent and read 25 times a second.
const TAKE_EVENTS = `
  with taken as (
    delete from outbox
    where ctid = any (array(
      select ctid from outbox where name = any (${inSql(Object.keys(EVENTS))})
      order by id limit $1 for update skip locked))
    returning id, name, payload, trace
  ), batch as (
    insert into event_batch (id, name, events)
    select coalesce(alone, uuidv7()), name,
           jsonb_agg(jsonb_build_object('id', id, 'payload', payload, 'trace', trace) order by id)
    from (select *, case when name = any(${inSql(BATCHED)}) then null else id end as alone from taken)
    group by name, alone
    returning id, name, jsonb_array_length(events) as size, events
  ), delivery as (
    insert into event_delivery (batch_id, queue)
    select batch.id, route.queue
    from batch
    join unnest(${inSql(ROUTES.map(({ name }) => name))}, ${inSql(ROUTES.map(({ queue }) => queue))})
      as route (name, queue) using (name)
    returning batch_id, queue
  )
  select batch.id as batch_id, name as event, size,
         case when size = 1 then events -> 0 -> 'trace' end as trace,
         coalesce((select array_agg(queue) from delivery where batch_id = batch.id), '{}') as queues
  from batch`;

/**
 * Takes up to `limit` events out of the outbox and groups them into batches.
 *
 * @returns the number of events, and the deliveries to publish; then call `markPublished`
 */
export async function takeEvents(
  db: Queryable,
  limit: number,
): Promise<{ events: number; deliveries: Delivery[] }> {
  const { rows } = await db.query<TakenBatch>({
    name: 'take-events',
    text: TAKE_EVENTS,
    values: [limit],
  });
  for (const { event, size } of rows) eventsTaken.inc({ event }, size);
  const deliveries = rows.flatMap(({ batch_id, event, trace, queues }) =>
    queues.map((queue) => ({ batch_id, event, queue, trace })),
  );
  return { events: rows.reduce((sum, { size }) => sum + size, 0), deliveries };
}

/**
 * Records that deliveries were published to their queues. Skips those that a worker is consuming already,
 * so that the relay never waits for a worker: they will be done, or published again, which is harmless.
 */
export async function markPublished(db: Queryable, deliveries: Delivery[]): Promise<void> {
  await db.query({
    name: 'mark-published',
    text: `update event_delivery set published_at = clock_timestamp()
           where (batch_id, queue) in (
             select delivery.batch_id, delivery.queue
             from unnest($1::uuid[], $2::text[]) as sent (batch_id, queue)
             join event_delivery delivery using (batch_id, queue)
             for no key update of delivery skip locked)`,
    values: [deliveries.map((d) => d.batch_id), deliveries.map((d) => d.queue)],
  });
}

/**
 * Finds deliveries that were never published: the relay died or the queue was down when they were
 * taken out of the outbox, or the queue lost its jobs. Publishing one twice is harmless.
 *
 * @param olderThanSeconds how long a relay may take to publish
 */
export async function findUnpublished(
  db: Queryable,
  olderThanSeconds: number,
  limit: number,
): Promise<Delivery[]> {
  const { rows } = await db.query<Delivery>({
    name: 'find-unpublished',
    text: `select delivery.batch_id, delivery.queue, batch.name as event
           from event_delivery delivery join event_batch batch on batch.id = delivery.batch_id
           where delivery.done_at is null and delivery.published_at is null
             and batch.created_at < clock_timestamp() - make_interval(secs => $1)
           limit $2`,
    values: [olderThanSeconds, limit],
  });
  return rows;
}

/**
 * Finds published deliveries that should have been consumed by now. The queue may have lost them
 * unnoticed.
 *
 * @param olderThanSeconds how long a queue may take before the delivery is published again
 * @param except queues that are not expected to make progress
 */
export async function findOverdue(
  db: Queryable,
  olderThanSeconds: number,
  limit: number,
  except: readonly QueueName[] = [],
): Promise<Delivery[]> {
  // now() is constant within a statement, so the index can be used; clock_timestamp() moves on.
  const { rows } = await db.query<Delivery>({
    name: 'find-overdue',
    text: `select delivery.batch_id, delivery.queue, batch.name as event
           from event_delivery delivery join event_batch batch on batch.id = delivery.batch_id
           where delivery.done_at is null
             and delivery.published_at < now() - make_interval(secs => $1)
             and delivery.queue <> all ($3::text[])
           order by delivery.published_at limit $2`,
    values: [olderThanSeconds, limit, except],
  });
  return rows;
}

/** Deletes up to `limit` consumed batches older than `days`. Returns how many. */
export async function pruneBatches(db: Database, days: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from event_batch where id in (
       select id from event_batch batch
       where created_at < now() - make_interval(days => $1)
         and not exists (
           select from event_delivery where batch_id = batch.id and done_at is null)
       order by created_at limit $2)`,
    [days, limit],
  );
  return rowCount ?? 0;
}

/**
 * Detects that the queue has lost its jobs. Redis increments a counter and PostgreSQL remembers its
 * last value. A counter that did not grow was flushed, replaced or restored from an older state. After
 * an interruption the same is assumed.
 * All deliveries that are not consumed then become unpublished. This starts a new generation, so of
 * several relays only one does it.
 *
 * @returns how many deliveries must be published again; null when nothing was lost
 */
export async function detectLoss(
  db: Database,
  backend: Pick<QueueBackend, 'incrementGeneration'>,
): Promise<number | null> {
  // Read before the increment: increments of other relays in between only make the counter higher.
  const { rows } = await db.query<{ generation: string; mark: number }>(
    'select generation, mark from queue_state',
  );
  const { generation, mark } = rows[0]!;
  const counted = await backend.incrementGeneration(generation);
  if (counted === null) return null;
  if (counted.count > mark) {
    await db.query('update queue_state set mark = $2 where generation = $1 and mark < $2', [
      generation,
      counted.count,
    ]);
    return null;
  }
  const lost = await withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      'update queue_state set generation = uuidv7(), mark = 0 where generation = $1',
      [generation],
    );
    if (rowCount === 0) return null;
    // A backlog of millions takes longer than the pool's statement timeout.
    await tx.query(`set local statement_timeout = '10min'`);
    return unpublish(tx);
  });
  // Only now: if the transaction fails, the next round finds the loss again.
  counted.recordLoss();
  return lost;
}

/**
 * Marks all deliveries that are not consumed as unpublished, so that they are published again. Skips
 * those that are being consumed at this moment.
 *
 * @returns how many
 */
async function unpublish(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `update event_delivery set published_at = null
     where (batch_id, queue) in (
       select batch_id, queue from event_delivery
       where done_at is null and published_at is not null for update skip locked)`,
  );
  return rowCount ?? 0;
}
