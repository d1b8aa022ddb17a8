import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { tryEach } from '#lifecycle/try-each.ts';

/** A recurring job, run by one of all worker processes. */
export interface Scheduled {
  name: string;
  everySeconds: number;
  /** Must be quick, because it runs in the transaction that sets the next run: it emits an event. */
  work: (tx: Transaction) => Promise<void>;
}

/**
 * Runs the scheduled jobs that are due; one that fails does not stop the others. A schedule is a row in PostgreSQL
 * and follows its clock. So a queue that loses its jobs loses no schedule, and of several workers only one runs a
 * job.
 *
 * @throws the error of a job, at the end
 */
export async function runDue(db: Database, schedules: readonly Scheduled[]): Promise<void> {
  // One statement for all: most checks find nothing.
  const { rows } = await db.query<{ name: string }>({
    name: 'due-schedules',
    text: `select name from unnest($1::text[]) as name left join schedule using (name)
           where next_at is null or next_at <= clock_timestamp()`,
    values: [schedules.map(({ name }) => name)],
  });
  const due = new Set(rows.map(({ name }) => name));
  await tryEach(
    schedules.filter(({ name }) => due.has(name)),
    (scheduled) => run(db, scheduled),
  );
}

/** Runs a job, unless another worker has run it meanwhile. */
async function run(db: Database, { name, everySeconds, work }: Scheduled): Promise<void> {
  await withTransaction(db, async (tx) => {
    await tx.query('insert into schedule (name) values ($1) on conflict do nothing', [name]);
    const { rowCount } = await tx.query(
      `update schedule set next_at = clock_timestamp() + make_interval(secs => $2)
       where name = $1 and next_at <= clock_timestamp()`,
      [name, everySeconds],
    );
    if (rowCount !== 0) await work(tx);
  });
}
