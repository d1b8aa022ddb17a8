import type { ProgressResponse } from '@proveklar/contract/quiz.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

export type TopicProgress = ProgressResponse['topics'][number];

export const progressQuery = queryOptions({
  queryKey: quizKeys.progress(),
  queryFn: ({ signal }) => api<ProgressResponse>('/quiz/progress', { signedIn: true, signal }),
});
