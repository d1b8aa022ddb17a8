import { Type } from 'typebox';
import Compile from 'typebox/compile';
import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { EVENTS, type DeliveredEvent, type EventName, type QueueName } from './catalogue.ts';

/** A stored payload is not what the catalogue says: no number of tries will change that. */
export class BadPayloadError extends Error {
  override readonly name = 'BadPayloadError';
}

const validators = Object.fromEntries(
  Object.entries(EVENTS).map(([name, { payload }]) => [
    name,
    Compile(Type.Array(Type.Object({ id: Type.String({ format: 'uuid' }), payload }))),
  ]),
);

/**
 * Reads a batch's events.
 *
 * @throws BadPayloadError when the batch is gone, of another event, or not what the catalogue says
 */
export async function readBatch<N extends EventName>(
  db: Database,
  batchId: string,
  name: N,
): Promise<DeliveredEvent<N>[]> {
  const { rows } = await db.query<{ events: unknown }>({
    name: 'read-batch',
    text: 'select events from event_batch where id = $1 and name = $2',
    values: [batchId, name],
  });
  const events = rows[0]?.events;
  if (!validators[name]!.Check(events)) {
    throw new BadPayloadError(`Batch ${batchId} holds no valid ${name} events`);
  }
  return events as DeliveredEvent<N>[];
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
  batchId: string,
  queue: QueueName,
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
