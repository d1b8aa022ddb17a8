import type { Database } from '@proveklar/services/database/pool.ts';
import { runChange } from '@proveklar/services/questions/changes/run-change.ts';
import type { Handler } from '#consumer.ts';

/** Changes many questions, a part at a time. Each part is done once; the batch is then recorded. */
export function runChangeHandler(db: Database): Handler<'questions.change_requested'> {
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      while (await runChange(db, payload.change_id)) signal.throwIfAborted();
      log.info({ change: payload.change_id }, 'change of questions ended');
    }
    await once(async () => {});
  };
}
