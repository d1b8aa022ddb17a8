import type { Logger } from 'pino';
import type { Actor } from '#audit/actor.ts';
import { DELETED_NAME, recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { type QueueName, QUEUES } from './catalogue.ts';
import type { JobQueue } from './queue-backend.ts';

/** What was decided last for a queue. */
export interface QueuePause {
  queue: QueueName;
  paused: boolean;
  at: Date;
  /** An administrator's address or a program's name; null when the audit log has forgotten it. */
  by: string | null;
}

/** The queues that were ever paused or resumed, by name. */
export async function readPauses(db: Queryable): Promise<QueuePause[]> {
  const { rows } = await db.query<QueuePause>(
    `select queue, paused, queue_pause.at, nullif(entry.actor, $1) as by
     from queue_pause left join audit_entry entry on entry.id = entry_id order by queue`,
    [DELETED_NAME],
  );
  return rows;
}

/** Seconds since each paused queue was paused. */
export async function readPausedSeconds(db: Queryable): Promise<Map<QueueName, number>> {
  const { rows } = await db.query<{ queue: QueueName; seconds: number }>(
    `select queue, extract(epoch from clock_timestamp() - at)::float8 as seconds
     from queue_pause where paused order by queue`,
  );
  return new Map(rows.map(({ queue, seconds }) => [queue, seconds]));
}

/**
 * Decides that queues are paused or not, and audits it; all of them or none. The workers do it within a second or two; a
 * job that runs ends first. Nothing changes for a queue for which it was decided before.
 *
 * @param already those of the queues that are so at the moment: nothing changes unless the opposite was decided
 * @throws AppError `not_found`; `account_disabled`; `admin_only` when the role was taken away
 */
export async function setQueuesPaused(
  db: Database,
  {
    names,
    paused,
    already = [],
    by,
  }: {
    names: readonly string[];
    paused: boolean;
    already?: readonly QueueName[];
    by: Actor;
  },
): Promise<void> {
  await withTransaction(db, async (tx) => {
    // One decision at a time, also the first on a queue, which has no row to lock. Reading does not wait.
    await tx.query('lock table queue_pause in share row exclusive mode');
    for (const queue of names.toSorted()) {
      if (!isQueue(queue)) throw new AppError('not_found', { message: 'There is no such queue' });
      await setPaused(tx, { queue, paused, already: already.includes(queue), by });
    }
  });
}

const isQueue = (name: string): name is QueueName => (QUEUES as readonly string[]).includes(name);

async function setPaused(
  tx: Transaction,
  {
    queue,
    paused,
    already,
    by,
  }: { queue: QueueName; paused: boolean; already: boolean; by: Actor },
): Promise<void> {
  const { rows } = await tx.query<{ paused: boolean }>(
    'select paused from queue_pause where queue = $1',
    [queue],
  );
  if (rows[0] ? rows[0].paused === paused : already) return;
  const action = paused ? 'queue.paused' : 'queue.resumed';
  const entryId = await recordAction(tx, { actor: by, action, subject: queue });
  await tx.query(
    `insert into queue_pause (queue, paused, entry_id) values ($1, $2, $3)
     on conflict (queue) do update
     set paused = excluded.paused, at = excluded.at, entry_id = excluded.entry_id`,
    [queue, paused, entryId],
  );
}

/** Pauses and resumes queues as it was decided. A queue without a decision stays as it is. */
export async function applyPauses(
  db: Queryable,
  queues: ReadonlyMap<QueueName, JobQueue>,
  log: Logger,
): Promise<void> {
  const decided = await readPauses(db);
  await Promise.all(
    decided.map(async ({ queue: name, paused }) => {
      const queue = queues.get(name);
      if (!queue || (await queue.isPaused()) === paused) return;
      await (paused ? queue.pause() : queue.resume());
      log.info({ queue: name, paused }, 'queue paused or resumed');
    }),
  );
}
