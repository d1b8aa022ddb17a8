import { setImmediate as pause } from 'node:timers/promises';
import type { Database } from '@proveklar/services/database/pool.ts';
import {
  type Consumer,
  forEachEvent,
  type Handler,
} from '@proveklar/services/events/run-consumer.ts';
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

/** Indexes an import's questions for search. */
function indexSearchHandler(db: Database) {
  return forEachEvent<'question.imported'>(async ({ import_id: id }, { signal, log }) => {
    await indexSearch(db, id, signal);
    log.info({ import: id }, 'search index completed');
  });
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
