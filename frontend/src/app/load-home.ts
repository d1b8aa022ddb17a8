import { accountQuery } from '#features/account/api.ts';
import { examsQuery, openQuizzesQuery, progressQuery, topicsQuery } from '#features/quiz/api.ts';
import { drillLanguage } from '#features/quiz/drill-choices.ts';
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
