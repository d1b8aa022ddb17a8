import { notifyLive } from '@proveklar/services/live/notify.ts';
import { measureQuizzes } from '@proveklar/services/statistics/measure-quizzes.ts';
import type { Handler } from '#consumer.ts';

/** Adds quizzes that were handed in to what discriminates between learners. */
export const measureQuizzesHandler: Handler<'quiz.ended'> = (events, { once }) =>
  once(async (tx) => {
    await measureQuizzes(
      tx,
      events.map((event) => event.payload.quiz_id),
    );
    await notifyLive(tx, [{ topic: 'statistics' }]);
  });
