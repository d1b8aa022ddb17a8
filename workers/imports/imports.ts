import type { Database } from '@proveklar/services/database/pool.ts';
import type { Consumer } from '#consumer.ts';
import { processImportHandler } from './process-import.handler.ts';

/**
 * The imports queue. A killed worker's import is taken up however often that happens: an import counts by
 * itself how often it was begun in vain.
 */
export function importsConsumer(db: Database): Consumer<'imports'> {
  return {
    queue: 'imports',
    concurrency: 2,
    mostStalls: 10_000,
    handlers: { 'import.changed': processImportHandler(db) },
  };
}
