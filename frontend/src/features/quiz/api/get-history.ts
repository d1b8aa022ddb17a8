import type { HistoryResponse } from '@proveklar/gateway/contract/quiz-history.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

/** One run in the history. */
export type HistoryItem = HistoryResponse['history'][number];

export const historyQuery = queryOptions({
  queryKey: quizKeys.history(),
  queryFn: ({ signal }) => api<HistoryResponse>('/quiz/history', { signedIn: true, signal }),
});
