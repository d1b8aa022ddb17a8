import type { Database } from '@proveklar/services/database/pool.ts';
import { indexSearch } from '@proveklar/services/questions/index-search.ts';
import type { Handler } from '#consumer.ts';

/** Makes an import's questions quick to find. It may be done again; the batch is then recorded. */
export function indexSearchHandler(db: Database): Handler<'question.imported'> {
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      await indexSearch(db, payload.import_id, signal);
      log.info({ import: payload.import_id }, 'can be searched');
    }
    await once(async () => {});
  };
}
