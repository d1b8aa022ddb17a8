import type { Database } from '@proveklar/services/database/pool.ts';
import type { Consumer } from '#consumer.ts';
import { regradeQuestionHandler } from './regrade-question.handler.ts';

/** The regrades queue: a popular question is in a hundred thousand quizzes, and counting goes on. */
export function regradesConsumer(db: Database): Consumer<'regrades'> {
  return {
    queue: 'regrades',
    concurrency: 1,
    handlers: { 'question.key_corrected': regradeQuestionHandler(db) },
  };
}
