import type { Database } from '@proveklar/services/database/pool.ts';
import type { Consumer } from '#consumer.ts';
import { runChangeHandler } from './run-change.handler.ts';

/** The changes queue: an administrator's changes of many questions, one after the other. */
export function changesConsumer(db: Database): Consumer<'changes'> {
  return {
    queue: 'changes',
    concurrency: 1,
    handlers: { 'questions.change_requested': runChangeHandler(db) },
  };
}
