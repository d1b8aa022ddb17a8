import type { Database } from '@proveklar/services/database/pool.ts';
import {
  type Consumer,
  forEachEvent,
  RetryLater,
} from '@proveklar/services/events/run-consumer.ts';
import { processImport, withImportLock } from '@proveklar/services/imports/process-import.ts';

/** While another import holds the lock. */
const LOCK_RETRY_DELAY_MS = 1_000;

/**
 * The imports queue. The queue restarts a killed worker's import without limit: the import counts its
 * failed attempts itself.
 */
export function importsConsumer(db: Database): Consumer<'imports'> {
  return {
    queue: 'imports',
    concurrency: 2,
    maxStalls: 10_000,
    handlers: { 'import.changed': processImportHandler(db) },
  };
}

/** Processes an import according to its state. */
function processImportHandler(db: Database) {
  return forEachEvent<'import.changed'>(async ({ import_id: id }, { signal }) => {
    const isDone = await withImportLock(db, id, () => processImport(db, id, signal));
    if (!isDone) throw new RetryLater(LOCK_RETRY_DELAY_MS);
  });
}
