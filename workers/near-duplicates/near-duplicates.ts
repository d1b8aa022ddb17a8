import type { Database } from '@proveklar/services/database/pool.ts';
import type { Consumer } from '#consumer.ts';
import { findNearDuplicatesHandler } from './find-near-duplicates.handler.ts';

/**
 * The near-duplicates queue: one import after the other is looked through, which may take hours. Apart
 * from the analysis queue, so that the next import can be searched soon. Such a job meets many
 * restarts, and each time goes on where it was.
 */
export function nearDuplicatesConsumer(db: Database): Consumer<'near-duplicates'> {
  return {
    queue: 'near-duplicates',
    concurrency: 1,
    mostStalls: 10_000,
    handlers: { 'question.imported': findNearDuplicatesHandler(db) },
  };
}
