import { type Database, type Transaction, withTransaction } from '#database/pool.ts';

/** Something that is done again and again, by one of all the workers there are. */
export interface Scheduled {
  name: string;
  everySeconds: number;
  /** Quick, because it runs in the transaction that sets the next time: it emits an event. */
  work: (tx: Transaction) => Promise<void>;
}

/**
 * Does what is due. The times are in PostgreSQL and by its clock: a queue that lost everything loses
 * no schedule, and of several workers one does it.
 *
 * @returns whether it was due
 */
export async function runWhenDue(
  db: Database,
  { name, everySeconds, work }: Scheduled,
): Promise<boolean> {
  return withTransaction(db, async (tx) => {
    await tx.query('insert into schedule (name) values ($1) on conflict do nothing', [name]);
    const { rowCount } = await tx.query(
      `update schedule set next_at = clock_timestamp() + make_interval(secs => $2)
       where name = $1 and next_at <= clock_timestamp()`,
      [name, everySeconds],
    );
    if (rowCount === 0) return false;
    await work(tx);
    return true;
  });
}
