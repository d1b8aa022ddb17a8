import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

export function readQuiz(id: string, signal?: AbortSignal): Promise<QuizSession> {
  return api(`/quiz/${encodeURIComponent(id)}`, { signedIn: true, signal });
}

/**
 * Read anew on every entry, because another tab or device may have gone on with the same quiz;
 * only what `start` has just answered is fresh enough to be shown without asking again.
 */
export const quizQuery = (id: string) =>
  queryOptions({
    queryKey: quizKeys.session(id),
    queryFn: ({ signal }) => readQuiz(id, signal),
    staleTime: 2_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
