import { withTransaction, type Database } from '#database/pool.ts';
import { unpublish } from './outbox.ts';
import type { QueueBackend } from './queue-backend.ts';

/**
 * Looks whether the queue still has what it was given. Redis counts on a key and PostgreSQL remembers
 * how far it had counted: one that has not come further was flushed, replaced, or went back to an older
 * state, and one that was away may have.
 * Whatever is not consumed is then marked as never handed over, under a new generation and so once,
 * however many relays look.
 *
 * @returns how many deliveries must be handed over again; null when nothing was lost
 */
export async function findLoss(
  db: Database,
  backend: Pick<QueueBackend, 'nextMark'>,
): Promise<number | null> {
  // Read before Redis counts: what another relay counts meanwhile can only make the count higher.
  const { rows } = await db.query<{ generation: string; mark: number }>(
    'select generation, mark from queue_state',
  );
  const { generation, mark } = rows[0]!;
  const counted = await backend.nextMark(generation);
  if (counted === null) return null;
  if (counted > mark) {
    await db.query('update queue_state set mark = $2 where generation = $1 and mark < $2', [
      generation,
      counted,
    ]);
    return null;
  }
  return withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      'update queue_state set generation = uuidv7(), mark = 0 where generation = $1',
      [generation],
    );
    if (rowCount === 0) return null;
    // A backlog of millions takes longer than what anybody waits for.
    await tx.query(`set local statement_timeout = '10min'`);
    return unpublish(tx);
  });
}
