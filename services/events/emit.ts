import Value from 'typebox/value';
import type { Transaction } from '#database/pool.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { EVENTS, type EventName, type EventPayload } from './catalogue.ts';

/**
 * Puts an event into the outbox, in the transaction that changes the state it tells of: they commit
 * together or not at all.
 *
 * @throws when the payload is not what the catalogue says (a fault in our code)
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
