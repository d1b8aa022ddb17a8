import { notifyLive } from '@proveklar/services/live/notify.ts';
import { completeRegrade, regradeQuestion } from '@proveklar/services/quiz/regrade-question.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { Handler } from '#consumer.ts';

/** Regrades the quizzes of questions whose key was wrong. The parts that are done stay done. */
export function regradeQuestionHandler(db: Database): Handler<'question.key_corrected'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      await regradeQuestion(db, payload.regrade_id);
      log.info({ question: payload.question_id, regrade: payload.regrade_id }, 'regraded');
    }
    await once(async (tx) => {
      for (const { payload } of events) await completeRegrade(tx, payload.regrade_id);
      await notifyLive(tx, [{ topic: 'statistics' }]);
    });
  };
}
