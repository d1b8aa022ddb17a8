import type { OpenQuizzesResponse } from '@proveklar/contract/quiz.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

/** A quiz to go on with. */
export type OpenQuiz = OpenQuizzesResponse['quizzes'][number];

/** Asked anew on every visit: another device may have gone on with one, or ended it. */
export const openQuizzesQuery = queryOptions({
  queryKey: quizKeys.open(),
  queryFn: ({ signal }) => api<OpenQuizzesResponse>('/quiz/open', { signedIn: true, signal }),
  staleTime: 2_000,
});
