import type { ExamsResponse } from '@proveklar/contract/settings.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

/** What a real test is like, where that is published, and when somebody last compared it. */
export type ExamFacts = ExamsResponse['exams'][number];

export const examsQuery = queryOptions({
  queryKey: quizKeys.exams(),
  queryFn: ({ signal }) => api<ExamsResponse>('/exams', { signal }),
  staleTime: 60 * 60 * 1000,
});
