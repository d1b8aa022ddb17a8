import type { Database } from '@proveklar/services/database/pool.ts';
import { runWork } from '@proveklar/services/bank-releases/release-work.ts';
import {
  type Consumer,
  type Handler,
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

/** Applies or undoes a release. Each part of the work is done once; the batch is recorded at the end. */
function runWorkHandler(db: Database, bankDir: string): Handler<'bank.work_requested'> {
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      if (!(await runWork(db, payload.work_id, { dir: bankDir, signal }))) {
        throw new RetryLater(LOCK_RETRY_DELAY_MS);
      }
      log.info({ work: payload.work_id }, 'work on a release of the bank ended');
    }
    await once(async () => {});
  };
}

/** Runs a bulk change in parts. Each part is applied once; the batch is recorded at the end. */
function runChangeHandler(db: Database): Handler<'questions.change_requested'> {
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      while (await runChange(db, payload.change_id)) signal.throwIfAborted();
      log.info({ change: payload.change_id }, 'change of questions ended');
    }
    await once(async () => {});
  };
}
