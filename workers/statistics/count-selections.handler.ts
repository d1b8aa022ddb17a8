import { notifyLive } from '@proveklar/services/live/notify.ts';
import { countSelections } from '@proveklar/services/statistics/count-answers.ts';
import type { Handler } from '#consumer.ts';

/** Counts the questions that were drawn into quizzes. */
export const countSelectionsHandler: Handler<'quiz.started'> = (events, { once }) =>
  once(async (tx) => {
    await countSelections(
      tx,
      events.flatMap((event) => event.payload.question_ids),
    );
    await notifyLive(tx, [{ topic: 'statistics' }]);
  });
