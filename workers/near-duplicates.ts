import { type Database, withTransaction } from '@proveklar/services/database/pool.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { findNearDuplicates } from '@proveklar/services/near-duplicates/find-near-duplicates.ts';
import type { Consumer, Handler } from './consumer.ts';

/**
 * The near-duplicates queue: one import after the other is looked through, which may take hours. Apart
 * from the analysis queue, so that the next import can be searched soon. Such a job meets many
 * restarts, and each time goes on where it was.
 */
export function nearDuplicatesConsumer(db: Database): Consumer<'near-duplicates'> {
  return {
    queue: 'near-duplicates',
    concurrency: 1,
    maxStalls: 10_000,
    handlers: { 'question.imported': findNearDuplicatesHandler(db) },
  };
}

/** Looks for near-duplicates of an import's questions, a part at a time. Each part is done once. */
function findNearDuplicatesHandler(db: Database): Handler<'question.imported'> {
  const announce = () => withTransaction(db, (tx) => notifyLive(tx, [{ topic: 'imports' }]));
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      await findNearDuplicates(db, payload.import_id, announce, signal);
      log.info({ import: payload.import_id }, 'search for near-duplicates ended');
    }
    await once(async () => {});
  };
}
