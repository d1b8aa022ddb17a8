import type { Database } from '@proveklar/services/database/pool.ts';
import type { Consumer, Handler } from '@proveklar/services/events/run-consumer.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { completeRegrade, regradeQuestion } from '@proveklar/services/quiz/regrade.ts';

/**
 * The regrades queue. It is separate from the statistics queue: a popular question is in a hundred
 * thousand quizzes, and counting must go on meanwhile.
 */
export function regradesConsumer(db: Database): Consumer<'regrades'> {
  return {
    queue: 'regrades',
    concurrency: 1,
    handlers: { 'question.key_corrected': regradeQuestionHandler(db) },
  };
}

/** Regrades the quizzes of questions whose key was wrong, in parts that are committed one by one. */
function regradeQuestionHandler(db: Database): Handler<'question.key_corrected'> {
  return async (events, { once, signal, log }) => {
    for (const { payload } of events) {
      await regradeQuestion(db, payload.regrade_id, signal);
      log.info({ question: payload.question_id, regrade: payload.regrade_id }, 'regraded');
    }
    await once(async (tx) => {
      for (const { payload } of events) await completeRegrade(tx, payload.regrade_id);
      await notifyLive(tx, [{ topic: 'statistics' }]);
    });
  };
}
