import { notifyLive } from '@proveklar/services/live/notify.ts';
import { regradeLateAnswers } from '@proveklar/services/quiz/regrade-quizzes.ts';
import { countAnswers } from '@proveklar/services/statistics/count-answers.ts';
import type { Handler } from '#consumer.ts';

/** Counts answers that became final, many at a time. */
export const countAnswersHandler: Handler<'answer.submitted'> = (events, { once }) =>
  once(async (tx) => {
    const answers = events.map((event) => event.payload);
    await regradeLateAnswers(tx, answers);
    await countAnswers(tx, answers);
    await notifyLive(tx, [{ topic: 'statistics' }]);
  });
