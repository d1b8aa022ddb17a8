import type { QuestionsResponse } from '@proveklar/contract/questions.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

/** A question with its key. */
export type EndedQuestion = QuestionsResponse['questions'][number];

/** The questions of a quiz that has ended, keys and explanations included. */
export const endedQuestionsQuery = (quizId: string) =>
  queryOptions({
    queryKey: quizKeys.questions(quizId),
    queryFn: ({ signal }) =>
      api<QuestionsResponse>(`/questions?quiz_id=${encodeURIComponent(quizId)}`, {
        signedIn: true,
        signal,
      }),
  });
