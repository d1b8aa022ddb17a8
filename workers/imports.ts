import type { Database } from '@proveklar/services/database/pool.ts';
import { withImportLock, processImport } from '@proveklar/services/imports/process-import.ts';
import type { Announce } from '@proveklar/services/imports/end-import.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { type Consumer, type Handler, RetryLater } from './consumer.ts';

/** Another import is being worked on: this one waits for its turn. */
const NOT_YET_MS = 1_000;

/**
 * The imports queue. A killed worker's import is taken up however often that happens: an import counts
 * how often it was begun in vain.
 */
export function importsConsumer(db: Database): Consumer<'imports'> {
  return {
    queue: 'imports',
    concurrency: 2,
    maxStalls: 10_000,
    handlers: { 'import.changed': processImportHandler(db) },
  };
}

/** Does whatever is to be done for an import. All of it may be done again. */
function processImportHandler(db: Database): Handler<'import.changed'> {
  return async (events, { once, signal }) => {
    const announce: Announce = (tx) => notifyLive(tx, [{ topic: 'imports' }]);
    for (const { payload } of events) {
      const isDone = await withImportLock(db, payload.import_id, () =>
        processImport(db, payload.import_id, announce, signal),
      );
      if (!isDone) throw new RetryLater(NOT_YET_MS);
    }
    await once(async () => {});
  };
}
