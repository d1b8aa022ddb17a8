import { countAnswers } from '@proveklar/services/statistics/count-answers.ts';
import type { Handler } from '#consumer.ts';

/** Counts answers that became final, many at a time. */
export const countAnswersHandler: Handler<'answer.submitted'> = (events, { once }) =>
  once((tx) =>
    countAnswers(
      tx,
      events.map((event) => event.payload),
    ),
  );
