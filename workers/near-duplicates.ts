import { type Database, withTransaction } from '@proveklar/services/database/pool.ts';
import { type Consumer, forEachEvent } from '@proveklar/services/events/run-consumer.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { findNearDuplicates } from '@proveklar/services/near-duplicates/find-near-duplicates.ts';

/**
 * The near-duplicates queue: searches one import after the other, which may take hours. It is separate
 * from the analysis queue, so that the next import is indexed soon. A job survives many restarts and
 * resumes each time where it stopped.
 */
export function nearDuplicatesConsumer(db: Database): Consumer<'near-duplicates'> {
  return {
    queue: 'near-duplicates',
    concurrency: 1,
    maxStalls: 10_000,
    handlers: { 'question.imported': findNearDuplicatesHandler(db) },
  };
}

/** Searches near-duplicates of an import's questions in batches. Each batch is searched once. */
function findNearDuplicatesHandler(db: Database) {
  const notifyProgress = () => withTransaction(db, (tx) => notifyLive(tx, [{ topic: 'imports' }]));
  return forEachEvent<'question.imported'>(async ({ import_id: id }, { signal, log }) => {
    await findNearDuplicates(db, id, notifyProgress, signal);
    log.info({ import: id }, 'search for near-duplicates ended');
  });
}
