import type { Database } from '@proveklar/services/database/pool.ts';
import type { Consumer, Handler } from '@proveklar/services/events/run-consumer.ts';
import { runChange } from '@proveklar/services/questions/run-bulk-change.ts';

/** The changes queue: administrators' bulk changes of questions, one after the other. */
export function changesConsumer(db: Database): Consumer<'changes'> {
  return {
    queue: 'changes',
    concurrency: 1,
    handlers: { 'questions.change_requested': runChangeHandler(db) },
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
