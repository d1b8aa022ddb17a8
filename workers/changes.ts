import type { Database } from '@proveklar/services/database/pool.ts';
import { runWork } from '@proveklar/services/bank-releases/release-work.ts';
import {
  type Consumer,
  forEachEvent,
  RetryLater,
} from '@proveklar/services/events/run-consumer.ts';
import { runChange } from '@proveklar/services/questions/run-bulk-change.ts';

/** While another process, such as `npm run bank`, applies or undoes a release. */
const LOCK_RETRY_DELAY_MS = 1_000;

/**
 * The changes queue: administrators' bulk changes of questions and releases of our bank, one after the other.
 *
 * @param bankDir the folder of the release of our bank
 */
export function changesConsumer(db: Database, bankDir: string): Consumer<'changes'> {
  return {
    queue: 'changes',
    concurrency: 1,
    handlers: {
      'questions.change_requested': runChangeHandler(db),
      'bank.work_requested': runWorkHandler(db, bankDir),
    },
  };
}

/** Applies or undoes a release. Each part of the work is done once. */
function runWorkHandler(db: Database, bankDir: string) {
  return forEachEvent<'bank.work_requested'>(async ({ work_id: id }, { signal, log }) => {
    const isDone = await runWork(db, id, { dir: bankDir, signal });
    if (!isDone) throw new RetryLater(LOCK_RETRY_DELAY_MS);
    log.info({ work: id }, 'work on a release of the bank ended');
  });
}

/** Runs a bulk change in parts. Each part is applied once. */
function runChangeHandler(db: Database) {
  return forEachEvent<'questions.change_requested'>(async ({ change_id: id }, { signal, log }) => {
    while (await runChange(db, id)) signal.throwIfAborted();
    log.info({ change: id }, 'change of questions ended');
  });
}
