import type { Database } from '@proveklar/services/database/pool.ts';
import { runChange } from '@proveklar/services/questions/run-change.ts';
import type { Consumer, Handler } from './consumer.ts';

/** The changes queue: an administrator's changes of many questions, one after the other. */
export function changesConsumer(db: Database): Consumer<'changes'> {
  return {
    queue: 'changes',
    concurrency: 1,
    handlers: { 'questions.change_requested': runChangeHandler(db) },
  };
}

/** Changes many questions, a part at a time. Each part is done once; the batch is then recorded. */
function runChangeHandler(db: Database): Handler<'questions.change_requested'> {
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      while (await runChange(db, payload.change_id)) signal.throwIfAborted();
      log.info({ change: payload.change_id }, 'change of questions ended');
    }
    await once(async () => {});
  };
}
