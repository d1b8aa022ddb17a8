import pg from 'pg';
import { type Actor, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { describeError } from '#logging/scrub.ts';
import { type EventName, type QueueName, QUEUES } from './catalogue.ts';

/** An event that a queue cannot consume, and why. */
export interface Rejection {
  /** Null when the stored event has no valid id. */
  eventId: string | null;
  payload: unknown;
  /** In words, without the offending value, which may be personal data. */
  reason: string;
  /** Null when the payload does not match the catalogue, or our code failed on it. */
  sqlstate: string | null;
}

/** A rejected event, for operators. */
export interface RejectedEvent {
  id: number;
  event_id: string;
  name: string;
  queue: string;
  batch_id: string;
  payload: unknown;
  reason: string;
  sqlstate: string | null;
  /** How often it was delivered and rejected. */
  attempts: number;
  rejected_at: Date;
  tried_at: Date;
  state: 'open' | 'retried' | 'dismissed';
  closed_at: Date | null;
  closed_by: string | null;
  dismissal: string | null;
}

/** Open rejected events of one queue and name with the same reason. */
export interface RejectedGroup {
  queue: string;
  name: string;
  reason: string;
  sqlstate: string | null;
  count: number;
  /** The oldest ten. */
  ids: number[];
  oldestSeconds: number;
}

/** All open rejected events. */
export interface OpenRejections {
  byQueue: Record<string, number>;
  /** The oldest first, at most 20. */
  groups: RejectedGroup[];
}

/** Whether PostgreSQL refused a write because of the data itself. */
export function isDataError(error: unknown): boolean {
  return findDataError(error) !== undefined;
}

/** Errors that JavaScript throws, and `Error` for broken assumptions of our code. */
const BUILT_IN_ERRORS = new Set<unknown>([
  Error,
  TypeError,
  RangeError,
  ReferenceError,
  SyntaxError,
]);

/**
 * Whether an error may be a fault of our code that only some events trigger. Errors of PostgreSQL, the
 * system and the network are excluded: they have their own classes, a code or a cause, and most are
 * transient.
 */
export function isCodeFault(error: unknown): boolean {
  if (!(error instanceof Error) || error.cause !== undefined) return false;
  return (
    BUILT_IN_ERRORS.has(error.constructor) && (error instanceof TypeError || !('code' in error))
  );
}

/** In the message of a data exception, PostgreSQL quotes the value. */
const DATA_EXCEPTION = /^22/;

/** The rejection of an event on which a handler failed with an error. */
export function toRejection(
  error: unknown,
  { id, payload }: { id: string; payload: unknown },
): Rejection {
  const cause = findDataError(error);
  const { type, message } = describeError(cause ?? error);
  const sqlstate = cause?.code ?? null;
  // JavaScript quotes text that it cannot parse.
  const isQuoted = sqlstate === null || DATA_EXCEPTION.test(sqlstate);
  const reason = isQuoted ? message.replaceAll(/"[^"]*"/g, '"…"') : message;
  return { eventId: id, payload, reason: cause ? reason : `${type}: ${reason}`, sqlstate };
}

/** SQLSTATE classes that a retry cannot fix: data exceptions and integrity violations. */
const DATA_ERROR = /^2[23]/;
const MAX_CAUSE_DEPTH = 5;

function findDataError(error: unknown, depth = 0): pg.DatabaseError | undefined {
  if (!(error instanceof Error) || depth > MAX_CAUSE_DEPTH) return undefined;
  const isMatch = error instanceof pg.DatabaseError && DATA_ERROR.test(error.code ?? '');
  return isMatch ? error : findDataError(error.cause, depth + 1);
}

/**
 * Stores rejected events of a batch, in the transaction that consumes the batch. A retried event that
 * fails again is reopened.
 */
export async function rejectEvents(
  tx: Transaction,
  { batchId, name, queue }: { batchId: string; name: EventName; queue: QueueName },
  rejections: readonly Rejection[],
): Promise<void> {
  const [first] = rejections;
  if (!first) return;
  const { rowCount } = await tx.query(
    `update rejected_event set state = 'open', closed_at = null, closed_by = null,
       reason = $3, sqlstate = $4, attempts = attempts + 1, tried_at = clock_timestamp()
     where batch_id = $1 and queue = $2 and state = 'retried'`,
    [batchId, queue, first.reason, first.sqlstate],
  );
  if (rowCount !== 0) return;
  await tx.query(
    `insert into rejected_event (event_id, name, queue, batch_id, payload, reason, sqlstate)
     select coalesce(event_id, uuidv7()), $1, $2, $3, payload::jsonb, reason, sqlstate
     from unnest($4::uuid[], $5::text[], $6::text[], $7::text[])
       as given (event_id, payload, reason, sqlstate)`,
    [
      name,
      queue,
      batchId,
      rejections.map(({ eventId }) => eventId),
      rejections.map(({ payload }) => JSON.stringify(payload ?? null)),
      rejections.map(({ reason }) => reason),
      rejections.map(({ sqlstate }) => sqlstate),
    ],
  );
}

const MAX_GROUPS = 20;
const IDS_OF_GROUP = 10;

/** Reads the open rejected events for an operator, in a bounded number of groups. */
export async function readOpenRejections(db: Queryable): Promise<OpenRejections> {
  const { rows: counts } = await db.query<{ queue: string; count: number }>(
    `select queue, count(*)::int as count from rejected_event where state = 'open' group by queue`,
  );
  const none = Object.fromEntries(QUEUES.map((queue) => [queue, 0]));
  const counted = Object.fromEntries(counts.map(({ queue, count }) => [queue, count]));
  const byQueue = { ...none, ...counted };
  if (counts.length === 0) return { byQueue, groups: [] };
  const { rows } = await db.query<Omit<RejectedGroup, 'oldestSeconds'> & { oldest: number }>(
    `select queue, name, reason, sqlstate, count(*)::int as count,
       (array_agg(id::int order by id))[1:${IDS_OF_GROUP}] as ids,
       extract(epoch from clock_timestamp() - min(rejected_at))::float8 as oldest
     from rejected_event where state = 'open'
     group by queue, name, reason, sqlstate order by min(rejected_at) limit ${MAX_GROUPS}`,
  );
  return {
    byQueue,
    groups: rows.map(({ oldest, ...group }) => ({ ...group, oldestSeconds: oldest })),
  };
}

/** The number of open rejected events. */
export async function countRejected(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*)::int as total from rejected_event where state = 'open'`,
  );
  return rows[0]!.total;
}

/** Lists rejected events, the oldest first. */
export async function listRejected(
  db: Queryable,
  { states, queue, limit }: { states: RejectedEvent['state'][]; queue?: string; limit: number },
): Promise<RejectedEvent[]> {
  const { rows } = await db.query<RejectedEvent>(
    `select * from rejected_event
     where state = any ($1) and queue = coalesce($2, queue) order by id limit $3`,
    [states, queue, limit],
  );
  return rows;
}

/**
 * Retries events: each gets a batch of its own, which the relay finds as unpublished. Retries all of
 * them or, when one is not open, none. A second call for the same events changes nothing.
 *
 * @throws AppError `event_not_open`
 */
export async function retryRejected(
  db: Database,
  { ids, by }: { ids: readonly number[]; by: Actor },
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const events = await lockOpen(tx, ids);
    // A new batch, because the queue may remember the old job as done. The event keeps its id, so an
    // effect that is idempotent by it, such as a mail, is not repeated.
    await tx.query(
      `with retried as (
         update rejected_event
         set state = 'retried', batch_id = uuidv7(), closed_at = clock_timestamp(), closed_by = $2
         where id = any ($1::bigint[])
         returning batch_id, queue, name, event_id, payload
       ), batch as (
         insert into event_batch (id, name, events)
         select batch_id, name, jsonb_build_array(jsonb_build_object('id', event_id, 'payload', payload))
         from retried
       )
       insert into event_delivery (batch_id, queue) select batch_id, queue from retried`,
      [ids, closedBy(by)],
    );
    for (const event of events) await record(tx, 'event.retried', event, { by });
  });
}

/**
 * Closes events that are no longer needed. Closes all of them or, when one is not open, none.
 *
 * @throws AppError `event_not_open`
 */
export async function dismissRejected(
  db: Database,
  { ids, by, why }: { ids: readonly number[]; by: Actor; why: string },
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const events = await lockOpen(tx, ids);
    await tx.query(
      `update rejected_event
       set state = 'dismissed', closed_at = clock_timestamp(), closed_by = $2, dismissal = $3
       where id = any ($1::bigint[])`,
      [ids, closedBy(by), why],
    );
    for (const event of events) await record(tx, 'event.dismissed', event, { by, note: why });
  });
}

// The name that the command was given, as it was typed.
const closedBy = (by: Actor) => (typeof by === 'string' ? by : nameOf(by));

/** Of two operators with the same event, the second waits for the first and finds it closed. */
async function lockOpen(tx: Transaction, ids: readonly number[]): Promise<RejectedEvent[]> {
  const { rows } = await tx.query<RejectedEvent>(
    'select * from rejected_event where id = any ($1::bigint[]) order by id for update',
    [ids],
  );
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  const problems = ids.flatMap((id) => {
    const state = states.get(id);
    if (state === 'open') return [];
    return [state ? `${id} was ${state} already` : `there is no event ${id}`];
  });
  if (problems.length > 0) throw new AppError('event_not_open', { message: problems.join('; ') });
  return rows;
}

async function record(
  tx: Transaction,
  action: 'event.retried' | 'event.dismissed',
  { event_id: subject, name, queue, reason }: RejectedEvent,
  { by, note }: { by: Actor; note?: string },
): Promise<void> {
  const details = { event: name, queue, reason, ...(note !== undefined && { note }) };
  await recordAction(tx, { actor: by, action, subject, details });
}

/**
 * Deletes rejected events that name a deleted account, one of its quizzes or its address. Keeps only
 * the event of the deletion itself, whose mail is still to be sent.
 */
export async function eraseRejected(
  db: Queryable,
  accountId: string,
  email: string | null = null,
): Promise<void> {
  // A text search, because an invalid payload may hold anything anywhere. There are few rows.
  await db.query(
    `delete from rejected_event using (
       select $1::uuid::text as value
       union all select id::text from quiz where account_id = $1
       union all select lower($2::text) where $2 is not null
     ) as own
     where name <> 'account.deleted' and strpos(lower(payload::text), '"' || own.value || '"') > 0`,
    [accountId, email],
  );
}

/** Deletes up to `limit` events that were closed more than `days` ago. */
export async function pruneRejected(db: Database, days: number, limit: number): Promise<void> {
  await db.query(
    `delete from rejected_event where id in (
       select id from rejected_event
       where state <> 'open' and closed_at < now() - make_interval(days => $1)
       order by closed_at limit $2)`,
    [days, limit],
  );
}
