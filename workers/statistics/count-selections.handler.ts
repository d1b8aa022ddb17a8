import { countSelections } from '@proveklar/services/statistics/count-answers.ts';
import type { Handler } from '#consumer.ts';

/** Counts the questions that were drawn into quizzes. */
export const countSelectionsHandler: Handler<'quiz.started'> = (events, { once }) =>
  once((tx) =>
    countSelections(
      tx,
      events.flatMap((event) => event.payload.question_ids),
    ),
  );
