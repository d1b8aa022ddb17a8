import { countReports } from '@proveklar/services/statistics/count-reports.ts';
import type { Handler } from '#consumer.ts';

/** Counts questions that learners reported. */
export const countReportsHandler: Handler<'feedback.reported'> = (events, { once }) =>
  once((tx) =>
    countReports(
      tx,
      events.map((event) => event.payload.question_id),
    ),
  );
