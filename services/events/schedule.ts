import { type Database, type Transaction, withTransaction } from '#database/pool.ts';

/** A recurring job, run by one of all worker processes. */
export interface Scheduled {
  name: string;
  everySeconds: number;
  /** Must be quick, because it runs in the transaction that sets the next run: it emits an event. */
  work: (tx: Transaction) => Promise<void>;
}

/**
 * Runs a scheduled job if it is due. The schedule is a row in PostgreSQL and follows its clock. So a
 * queue that loses its jobs loses no schedule, and of several workers only one runs the job.
 *
 * @returns whether the job was due
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
