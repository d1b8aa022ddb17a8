import type { Consumer } from '#consumer.ts';
import { countAnswersHandler } from './count-answers.handler.ts';
import { countReportsHandler } from './count-reports.handler.ts';
import { countSelectionsHandler } from './count-selections.handler.ts';
import { measureQuizzesHandler } from './measure-quizzes.handler.ts';

/** The statistics queue. One job at a time: a batch locks the rows of all its questions. */
export const statisticsConsumer: Consumer<'statistics'> = {
  queue: 'statistics',
  concurrency: 1,
  handlers: {
    'answer.submitted': countAnswersHandler,
    'feedback.reported': countReportsHandler,
    'quiz.ended': measureQuizzesHandler,
    'quiz.started': countSelectionsHandler,
  },
};
