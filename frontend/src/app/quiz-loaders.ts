import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { notFound } from '@tanstack/react-router';
import { accountQuery } from '#features/account/api.ts';
import {
  examsQuery,
  openQuizzesQuery,
  progressQuery,
  quizQuery,
  topicsQuery,
} from '#features/quiz/api.ts';
import { drillLanguage } from '#features/quiz/drill-choices.ts';
import { forgetUnsent } from '#features/quiz/unsent-answers.ts';
import { loadTexts } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';
import { getSession } from '#lib/session.ts';
import { LazyQuizHome } from './lazy-quiz-home.ts';

/** The home is worth more than its lists: it does not wait longer for them, in milliseconds. */
const PATIENCE = 2_000;

/** What the home shows, so that it is there at first paint and nothing is pushed down later. */
export async function loadHome(): Promise<void> {
  if (getSession().status !== 'signed-in') return;
  const screen = LazyQuizHome.preload?.();
  const lists = Promise.race([
    Promise.all([
      // None of these rejects: the parts of the home say themselves what they could not load.
      queryClient.prefetchQuery(openQuizzesQuery),
      queryClient.prefetchQuery(topicsQuery(drillLanguage())),
      queryClient.prefetchQuery(progressQuery),
      queryClient.prefetchQuery(examsQuery),
      queryClient.prefetchQuery(accountQuery),
    ]),
    new Promise((resolve) => setTimeout(resolve, PATIENCE)),
  ]);
  await Promise.all([screen, lists]);
}

/** The quiz of an address. A quiz that does not exist or belongs to another learner is a page not found. */
export async function loadQuiz(id: string): Promise<QuizSession> {
  const texts = loadTexts('learner');
  try {
    const session = await queryClient.fetchQuery(quizQuery(id));
    // It takes no more answers. One that has ended says which came too late, and forgets them then.
    if (session.state === 'cancelled') {
      forgetUnsent({ uid: getSession().user?.uid ?? '', quizId: session.id });
    }
    return session;
  } catch (error) {
    // An id that is no id at all is refused with 400: for the reader it is the same.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
      throw notFound();
    }
    throw error;
  } finally {
    // The error screen needs them too.
    await texts;
  }
}
