import type { Database } from '@proveklar/services/database/pool.ts';
import {
  type Consumer,
  type Handler,
  RetryLater,
} from '@proveklar/services/events/run-consumer.ts';
import { withImportLock, processImport } from '@proveklar/services/imports/process-import.ts';
import type { Announce } from '@proveklar/services/imports/end-import.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';

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

/** Processes an import according to its state. Idempotent. */
function processImportHandler(db: Database): Handler<'import.changed'> {
  return async (events, { once, signal }) => {
    const announce: Announce = (tx) => notifyLive(tx, [{ topic: 'imports' }]);
    for (const { payload } of events) {
      const isDone = await withImportLock(db, payload.import_id, () =>
        processImport(db, payload.import_id, announce, signal),
      );
      if (!isDone) throw new RetryLater(LOCK_RETRY_DELAY_MS);
    }
    await once(async () => {});
  };
}
