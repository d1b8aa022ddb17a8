import { withTransaction, type Database } from '@proveklar/services/database/pool.ts';
import { notifyLive } from '@proveklar/services/live/notify.ts';
import { findNearDuplicates } from '@proveklar/services/near-duplicates/find-near-duplicates.ts';
import type { Handler } from '#consumer.ts';

/** Looks for near-duplicates of an import's questions, a part at a time. Each part is done once. */
export function findNearDuplicatesHandler(db: Database): Handler<'question.imported'> {
  const announce = () => withTransaction(db, (tx) => notifyLive(tx, [{ topic: 'imports' }]));
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      await findNearDuplicates(db, payload.import_id, announce, signal);
      log.info({ import: payload.import_id }, 'search for near-duplicates ended');
    }
    await once(async () => {});
  };
}
