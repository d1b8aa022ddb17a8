import { setImmediate as pause } from 'node:timers/promises';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { Consumer, Handler } from '@proveklar/services/events/run-consumer.ts';
import { refit } from '@proveklar/services/learning/refit.ts';
import { indexSearch } from '@proveklar/services/questions/index-search.ts';

/** The analysis queue: long work that no request waits for. */
export function analysisConsumer(db: Database): Consumer<'analysis'> {
  return {
    queue: 'analysis',
    concurrency: 1,
    handlers: {
      'question.imported': indexSearchHandler(db),
      'learning.refit_requested': refitHandler(db),
    },
  };
}

/** Indexes an import's questions for search. Idempotent; the batch is recorded at the end. */
function indexSearchHandler(db: Database): Handler<'question.imported'> {
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      await indexSearch(db, payload.import_id, signal);
      log.info({ import: payload.import_id }, 'search index completed');
    }
    await once(async () => {});
  };
}

/** Estimates again how hard questions are and how memory fades. Idempotent. */
function refitHandler(db: Database): Handler<'learning.refit_requested'> {
  return async (_events, { once, signal, log }) => {
    const answers = await refit(db, async () => {
      await pause();
      signal.throwIfAborted();
    });
    log.info({ answers }, 'learning refit');
    await once(async () => {});
  };
}
