import type { QuestionStatisticsResponse } from '@proveklar/contract/question-quality.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { qualityKeys } from '../keys.ts';

/** Quizzes are being regraded: how far that has come is looked at again. */
const POLL_MS = 3_000;

/** How learners answer a question. */
export const statisticsQuery = (id: string) =>
  queryOptions({
    queryKey: qualityKeys.question(id),
    queryFn: ({ signal }) =>
      api<QuestionStatisticsResponse>(`/questions/${encodeURIComponent(id)}/statistics`, {
        signedIn: true,
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data?.regrade && state.data.regrade.completed_at === null ? POLL_MS : false,
  });
