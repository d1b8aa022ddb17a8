import type { Database } from '@proveklar/services/database/pool.ts';
import { indexSearch } from '@proveklar/services/questions/index-search.ts';
import type { Consumer, Handler } from './consumer.ts';

/** The analysis queue: long work on imported questions that no request waits for. */
export function analysisConsumer(db: Database): Consumer<'analysis'> {
  return {
    queue: 'analysis',
    concurrency: 1,
    handlers: { 'question.imported': indexSearchHandler(db) },
  };
}

/** Indexes an import's questions for search. Idempotent; the batch is recorded at the end. */
function indexSearchHandler(db: Database): Handler<'question.imported'> {
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      await indexSearch(db, payload.import_id, signal);
      log.info({ import: payload.import_id }, 'can be searched');
    }
    await once(async () => {});
  };
}
