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
import { loadTexts } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';
import { getSession } from '#lib/session.ts';
import { LazyQuizHome, LazySignInOrRegister } from './lazy-quiz-home.ts';

/** The home is shown without its lists after so long. */
const LISTS_TIMEOUT_MS = 2_000;

/** Loads the data of the home before it is shown, so that nothing is pushed down later. */
export async function loadHome(): Promise<void> {
  if (getSession().status !== 'signed-in') return LazySignInOrRegister.preload?.();
  const screen = LazyQuizHome.preload?.();
  const lists = Promise.race([
    Promise.all([
      // `prefetchQuery` never rejects: the parts of the home show their own errors.
      queryClient.prefetchQuery(openQuizzesQuery),
      queryClient.prefetchQuery(topicsQuery(drillLanguage())),
      queryClient.prefetchQuery(progressQuery),
      queryClient.prefetchQuery(examsQuery),
      queryClient.prefetchQuery(accountQuery),
      // Imported on demand: the entry chunk does not need it.
      import('#features/quiz/learning/api.ts').then(({ learningQuery }) =>
        queryClient.prefetchQuery(learningQuery(drillLanguage())),
      ),
    ]),
    new Promise((resolve) => setTimeout(resolve, LISTS_TIMEOUT_MS)),
  ]);
  await Promise.all([screen, lists]);
}

/** The account is loaded beside the figures of the page: it says whether there is anything to start. */
export function loadProgress(): Promise<void> {
  void queryClient.prefetchQuery(accountQuery);
  return loadTexts('learner');
}

const QUIZ_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Loads a quiz. One that does not exist or belongs to another learner is a page not found. */
export async function loadQuiz(id: string): Promise<QuizSession> {
  // Such as /quiz/history, which is a call of the API.
  if (!QUIZ_ID.test(id)) throw notFound();
  const texts = loadTexts('learner');
  try {
    return await queryClient.fetchQuery(quizQuery(id));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw notFound();
    throw error;
  } finally {
    // The error screen needs them too.
    await texts;
  }
}
