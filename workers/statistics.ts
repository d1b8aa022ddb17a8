import type { Transaction } from '@proveklar/services/database/pool.ts';
import type { EventOf, EventPayload } from '@proveklar/services/events/catalogue.ts';
import type { Consumer, Handler } from '@proveklar/services/events/run-consumer.ts';
import { recordAnswers } from '@proveklar/services/learning/record-answers.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { countPractice } from '@proveklar/services/portal/funnel.ts';
import { listDelayedAnswers } from '@proveklar/services/quiz/hand-in.ts';
import { regradeLateAnswers } from '@proveklar/services/quiz/regrade.ts';
import {
  countAnswers,
  countReports,
  countSelections,
} from '@proveklar/services/statistics/count-answers.ts';
import { measureQuizzes } from '@proveklar/services/statistics/measure-quizzes.ts';
import { moveMergedCounts } from '@proveklar/services/statistics/merged-counts.ts';

/**
 * The statistics queue. Two jobs at a time: one is read while the other is committed. More would wait for each other, because
 * a batch locks the rows of all its questions, in one order.
 */
export const statisticsConsumer: Consumer<'statistics'> = {
  queue: 'statistics',
  concurrency: 2,
  handlers: {
    'answer.submitted': countHandler(countFinalAnswers, ['statistics']),
    'feedback.reported': countHandler(countReported, ['feedback', 'statistics']),
    'questions.merged': countHandler(moveMerged, ['statistics']),
    'quiz.ended': countHandler(measureEnded, ['statistics']),
    'quiz.started': countHandler(countDrawn, ['statistics']),
  },
};

/** Counts a batch and notifies administrators about the topics, in one transaction. */
function countHandler<N extends EventOf<'statistics'>>(
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

/** Counts a batch of final answers, and updates what their learners remember. */
async function countFinalAnswers(tx: Transaction, answers: EventPayload<'answer.submitted'>[]) {
  await regradeLateAnswers(tx, answers);
  await recordAnswers(tx, answers, () => countAnswers(tx, answers));
}

/** Counts questions that learners reported. */
async function countReported(tx: Transaction, reports: EventPayload<'feedback.reported'>[]) {
  await countReports(
    tx,
    reports.map(({ question_id }) => question_id),
  );
}

/** Moves what was counted for questions that were merged, or separated again. */
async function moveMerged(tx: Transaction, merges: EventPayload<'questions.merged'>[]) {
  await moveMergedCounts(
    tx,
    merges.flatMap(({ question_ids }) => question_ids),
  );
}

/**
 * Adds quizzes that were handed in to the discrimination of their questions. The results of a drill without
 * instant feedback are shown from now on, so its learner remembers them.
 */
async function measureEnded(tx: Transaction, quizzes: EventPayload<'quiz.ended'>[]) {
  const quizIds = quizzes.map(({ quiz_id }) => quiz_id);
  await measureQuizzes(tx, quizIds);
  await recordAnswers(tx, await listDelayedAnswers(tx, quizIds));
}

/** Counts the questions that were drawn into quizzes, and the learners who begin to practise or come back. */
async function countDrawn(tx: Transaction, quizzes: EventPayload<'quiz.started'>[]) {
  await countSelections(
    tx,
    quizzes.flatMap(({ question_ids }) => question_ids),
  );
  await countPractice(
    tx,
    quizzes.map(({ quiz_id }) => quiz_id),
  );
}
