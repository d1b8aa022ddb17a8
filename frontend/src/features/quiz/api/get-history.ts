import type { HistoryResponse } from '@proveklar/contract/quiz.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

/** One run in the history. */
export type HistoryItem = HistoryResponse['history'][number];

/** The runs, the newest first, 20 at a time. */
export const historyQuery = infiniteQueryOptions({
  queryKey: quizKeys.history(),
  queryFn: ({ pageParam, signal }) => {
    const query = new URLSearchParams({ limit: '20', ...(pageParam && { before: pageParam }) });
    return api<HistoryResponse>(`/quiz/history?${query.toString()}`, { signedIn: true, signal });
  },
  initialPageParam: '',
  getNextPageParam: ({ next_before }) => next_before,
});
