import { Type } from 'typebox';
import Compile from 'typebox/compile';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { type DeliveredEvent, type EventName, EVENTS, type QueueName } from './catalogue.ts';
import {
  isCodeFault,
  isDataError,
  rejectEvents,
  type Rejection,
  rejectionBy,
} from './rejected-events.ts';

/** A job names a batch that is not there, or not of this event: no number of tries will change that. */
export class MissingBatchError extends Error {
  override readonly name = 'MissingBatchError';
}

/** What a batch holds. */
export interface Batch<N extends EventName> {
  /** What the handler is given. */
  events: DeliveredEvent<N>[];
  /** What is not as the catalogue says. */
  invalid: Rejection[];
}

/** Which batch, for which queue. */
export interface DeliveryKey {
  batchId: string;
  name: EventName;
  queue: QueueName;
}

const Id = Type.String({ format: 'uuid' });

const validators = Object.fromEntries(
  Object.entries(EVENTS).map(([name, { payload }]) => [
    name,
    Compile(Type.Object({ id: Id, payload })),
  ]),
);

/**
 * Reads a batch's events and validates each of them alone.
 *
 * @throws MissingBatchError when there is no such batch, or it is of another event
 */
export async function readBatch<N extends EventName>(
  db: Database,
  batchId: string,
  name: N,
): Promise<Batch<N>> {
  const { rows } = await db.query<{ events: unknown }>({
    name: 'read-batch',
    text: 'select events from event_batch where id = $1 and name = $2',
    values: [batchId, name],
  });
  const [row] = rows;
  if (!row) throw new MissingBatchError(`There is no batch ${batchId} of ${name}`);
  const stored: unknown[] = Array.isArray(row.events) ? row.events : [row.events];
  const validator = validators[name]!;
  const isValid = (event: unknown): event is DeliveredEvent<N> => validator.Check(event);
  const invalid = stored
    .filter((event) => !isValid(event))
    .map((event) => invalidEvent(event, validator.Errors(event)[0]));
  return { events: stored.filter(isValid), invalid };
}

const hasId = Compile(Type.Object({ id: Id }));

/** @param error says where it differs from the catalogue, without the value that is there */
function invalidEvent(
  event: unknown,
  error: { instancePath: string; message: string } | undefined,
): Rejection {
  const isObject = typeof event === 'object' && event !== null;
  return {
    eventId: hasId.Check(event) ? event.id : null,
    payload: isObject && 'payload' in event ? event.payload : event,
    reason: `${error?.instancePath.slice(1) || 'the event'} ${error?.message ?? 'is not valid'}`,
    sqlstate: null,
  };
}

/**
 * Applies a batch for a queue exactly once: `apply` runs in the transaction that records it, and a
 * batch already recorded is left alone. Of two workers with the same batch the second waits for the
 * first.
 *
 * @returns false when it had been applied before
 */
export async function consumeOnce(
  db: Database,
  { batchId, queue }: Omit<DeliveryKey, 'name'>,
  apply: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update event_delivery set done_at = clock_timestamp()
       where batch_id = $1 and queue = $2 and done_at is null`,
      [batchId, queue],
    );
    if (rowCount === 0) return false;
    await apply(tx);
    return true;
  });
}

/**
 * Applies a batch that failed on some of its events, as `consumeOnce` does, without them: it is halved
 * until each of them is alone, and those are set aside in the same transaction. Each event is
 * then either applied or set aside, once; a worker that is killed in the middle leaves nothing behind.
 *
 * An event that our code fails on is set aside only when another one of the batch was applied: where all
 * fail, it may be the service and not the events.
 *
 * @param failure what the batch as a whole failed with; a single event is set aside without another try
 * @param apply applies a part of the events; called for each part in a savepoint
 * @param options.lastTry whether errors of our code (`isCodeFault`) are looked for as well as those of the data
 * @returns what was set aside; null when the batch had been applied before
 * @throws any other error: nothing is recorded then, and the batch is tried again
 */
export async function consumeApart<N extends EventName>(
  db: Database,
  delivery: DeliveryKey,
  { events, invalid }: Batch<N>,
  failure: unknown,
  apply: (tx: Transaction, part: DeliveredEvent<N>[]) => Promise<void>,
  { lastTry = false } = {},
): Promise<Rejection[] | null> {
  const rejected = [...invalid];
  let applied = 0;
  let codeFault: unknown;
  const isOurs = await consumeOnce(db, delivery, async (tx) => {
    const split = async (part: DeliveredEvent<N>[], error: unknown): Promise<void> => {
      if (part.length <= 1) {
        if (!isDataError(error)) codeFault = error;
        rejected.push(...part.map((event) => rejectionBy(error, event)));
        return;
      }
      const middle = Math.ceil(part.length / 2);
      for (const half of [part.slice(0, middle), part.slice(middle)]) {
        const problem = await tryPart(tx, () => apply(tx, half));
        if (problem === undefined) applied += half.length;
        else if (isOfEvents(problem, lastTry)) await split(half, problem);
        else throw problem;
      }
    };
    await split(events, failure);
    if (codeFault !== undefined && applied === 0) throw codeFault;
    await rejectEvents(tx, delivery, rejected);
  });
  return isOurs ? rejected : null;
}

/** @returns the error that undid it; undefined when it was applied */
async function tryPart(tx: Transaction, apply: () => Promise<void>): Promise<unknown> {
  await tx.query('savepoint part');
  try {
    await apply();
    await tx.query('release savepoint part');
    return undefined;
  } catch (error) {
    // On a connection that broke this fails as well, and nothing is recorded.
    await tx.query('rollback to savepoint part; release savepoint part');
    return error;
  }
}

/** Whether a batch is to be taken apart because of an error: the batch is then tried without some of its events. */
export function isOfEvents(error: unknown, lastTry: boolean): boolean {
  return isDataError(error) || (lastTry && isCodeFault(error));
}
