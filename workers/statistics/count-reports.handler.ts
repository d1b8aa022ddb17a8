import { notifyLive } from '@proveklar/services/live/notify.ts';
import { countReports } from '@proveklar/services/statistics/count-reports.ts';
import type { Handler } from '#consumer.ts';

/** Counts questions that learners reported. */
export const countReportsHandler: Handler<'feedback.reported'> = (events, { once }) =>
  once(async (tx) => {
    await countReports(
      tx,
      events.map((event) => event.payload.question_id),
    );
    await notifyLive(tx, [{ topic: 'feedback' }, { topic: 'statistics' }]);
  });
