import { notifyLive } from '@proveklar/services/live/notify.ts';
import { countAnswers } from '@proveklar/services/statistics/count-answers.ts';
import type { Handler } from '#consumer.ts';

/** Counts answers that became final, many at a time. */
export const countAnswersHandler: Handler<'answer.submitted'> = (events, { once }) =>
  once(async (tx) => {
    await countAnswers(
      tx,
      events.map((event) => event.payload),
    );
    await notifyLive(tx, [{ topic: 'statistics' }]);
  });
