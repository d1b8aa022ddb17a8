import type { Database } from '@proveklar/services/database/pool.ts';
import type { Consumer } from '#consumer.ts';
import { indexSearchHandler } from './index-search.handler.ts';

/** The analysis queue: long work over what an import brought, for which nobody waits. */
export function analysisConsumer(db: Database): Consumer<'analysis'> {
  return {
    queue: 'analysis',
    concurrency: 1,
    handlers: { 'question.imported': indexSearchHandler(db) },
  };
}
