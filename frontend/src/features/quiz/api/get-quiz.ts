import type { QuizSession } from '@proveklar/gateway/contract/quiz.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

/** Always read anew on entry: another tab or device may have gone on with the same quiz. */
export const quizQuery = (id: string) =>
  queryOptions({
    queryKey: quizKeys.session(id),
    queryFn: ({ signal }) =>
      api<QuizSession>(`/quiz/${encodeURIComponent(id)}`, { signedIn: true, signal }),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
