import type { Transaction } from '@proveklar/services/database/pool.ts';
import type { EventOf, EventPayload } from '@proveklar/services/events/catalogue.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { regradeLateAnswers } from '@proveklar/services/quiz/regrade.ts';
import {
  countAnswers,
  countReports,
  countSelections,
} from '@proveklar/services/statistics/count-answers.ts';
import { measureQuizzes } from '@proveklar/services/statistics/measure-quizzes.ts';
import type { Consumer, Handler } from './consumer.ts';

/** The statistics queue. One job at a time: a batch locks the rows of all its questions. */
export const statisticsConsumer: Consumer<'statistics'> = {
  queue: 'statistics',
  concurrency: 1,
  handlers: {
    'answer.submitted': counting(countFinalAnswers, ['statistics']),
    'feedback.reported': counting(countReported, ['feedback', 'statistics']),
    'quiz.ended': counting(measureEnded, ['statistics']),
    'quiz.started': counting(countDrawn, ['statistics']),
  },
};

/** Counts a batch and notifies administrators about the topics, in one transaction. */
function counting<N extends EventOf<'statistics'>>(
  count: (tx: Transaction, payloads: EventPayload<N>[]) => Promise<void>,
  topics: readonly ('feedback' | 'statistics')[],
): Handler<N> {
  return (events, { once }) =>
    once(async (tx) => {
      await count(
        tx,
        events.map(({ payload }) => payload),
      );
      await notifyLive(
        tx,
        topics.map((topic) => ({ topic })),
      );
    });
}

/** Counts a batch of final answers. */
async function countFinalAnswers(tx: Transaction, answers: EventPayload<'answer.submitted'>[]) {
  await regradeLateAnswers(tx, answers);
  await countAnswers(tx, answers);
}

/** Counts questions that learners reported. */
async function countReported(tx: Transaction, reports: EventPayload<'feedback.reported'>[]) {
  await countReports(
    tx,
    reports.map(({ question_id }) => question_id),
  );
}

/** Adds quizzes that were handed in to the discrimination of their questions. */
async function measureEnded(tx: Transaction, quizzes: EventPayload<'quiz.ended'>[]) {
  await measureQuizzes(
    tx,
    quizzes.map(({ quiz_id }) => quiz_id),
  );
}

/** Counts the questions that were drawn into quizzes. */
async function countDrawn(tx: Transaction, quizzes: EventPayload<'quiz.started'>[]) {
  await countSelections(
    tx,
    quizzes.flatMap(({ question_ids }) => question_ids),
  );
}
