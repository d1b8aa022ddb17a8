import { Type } from 'typebox';
import Compile from 'typebox/compile';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { type DeliveredEvent, type EventName, EVENTS, type QueueName } from './catalogue.ts';
import {
  isCodeFault,
  isDataError,
  rejectEvents,
  type Rejection,
  toRejection,
} from './rejected-events.ts';

/** A job names a batch that does not exist or holds another event. */
export class MissingBatchError extends Error {
  override readonly name = 'MissingBatchError';
}

/** The events of a batch, validated. */
export interface Batch<N extends EventName> {
  /** The valid events, for the handler. */
  events: DeliveredEvent<N>[];
  /** The events that do not match the catalogue. */
  invalid: Rejection[];
}

/** Identifies the delivery of a batch to a queue. */
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
 * Reads a batch's events and validates each of them on its own.
 *
 * @throws MissingBatchError when the batch does not exist or holds another event
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

/** @param error names the place that differs from the catalogue, without its value */
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
 * Applies a batch for a queue exactly once. `apply` runs in the transaction that marks the delivery as
 * done; a delivery that is done is skipped. Of two workers with the same batch, the second waits for
 * the first.
 *
 * @returns false when the batch was applied before
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
 * Applies a failed batch without the events it fails on, otherwise like `consumeOnce`. It bisects the
 * batch until each failing event is alone, and rejects those in the same transaction. So each event is
 * applied or rejected exactly once, and a worker that is killed midway leaves nothing behind.
 *
 * An event that our code fails on is rejected only when another event of the batch was applied: when
 * all fail, the fault may lie in the service and not in the events.
 *
 * @param failure the error of the whole batch; a single event is rejected without another attempt
 * @param apply applies a part of the events; each part runs in a savepoint
 * @param options.isLastAttempt also rejects events for errors of our code (`isCodeFault`), not only of the data
 * @returns the rejected events; null when the batch was applied before
 * @throws any other error: nothing is recorded and the batch is retried
 */
export async function consumeBySplitting<N extends EventName>(
  db: Database,
  delivery: DeliveryKey,
  { events, invalid }: Batch<N>,
  failure: unknown,
  apply: (tx: Transaction, part: DeliveredEvent<N>[]) => Promise<void>,
  { isLastAttempt = false } = {},
): Promise<Rejection[] | null> {
  const rejected = [...invalid];
  let applied = 0;
  let codeFault: unknown;
  const isFirst = await consumeOnce(db, delivery, async (tx) => {
    const split = async (part: DeliveredEvent<N>[], error: unknown): Promise<void> => {
      if (part.length <= 1) {
        if (!isDataError(error)) codeFault = error;
        rejected.push(...part.map((event) => toRejection(error, event)));
        return;
      }
      const middle = Math.ceil(part.length / 2);
      for (const half of [part.slice(0, middle), part.slice(middle)]) {
        const partError = await applyInSavepoint(tx, () => apply(tx, half));
        if (partError === undefined) applied += half.length;
        else if (shouldSplitBatch(partError, isLastAttempt)) await split(half, partError);
        else throw partError;
      }
    };
    await split(events, failure);
    if (codeFault !== undefined && applied === 0) throw codeFault;
    await rejectEvents(tx, delivery, rejected);
  });
  return isFirst ? rejected : null;
}

/** @returns the error that rolled it back; undefined when it was applied */
async function applyInSavepoint(tx: Transaction, apply: () => Promise<void>): Promise<unknown> {
  await tx.query('savepoint part');
  try {
    await apply();
    await tx.query('release savepoint part');
    return undefined;
  } catch (error) {
    // On a broken connection this fails too, and nothing is recorded.
    await tx.query('rollback to savepoint part; release savepoint part');
    return error;
  }
}

/** Whether a failed batch should be split, so that only its failing events are rejected. */
export function shouldSplitBatch(error: unknown, isLastAttempt: boolean): boolean {
  return isDataError(error) || (isLastAttempt && isCodeFault(error));
}
