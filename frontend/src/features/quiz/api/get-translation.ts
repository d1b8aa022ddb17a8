import type { Translation } from '@proveklar/contract/quiz.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

/** A question of a quiz in another language; refused while its key may not be known. */
export const translationQuery = (quizId: string, uuid: string, language: string) =>
  queryOptions({
    queryKey: quizKeys.translation(quizId, uuid, language),
    queryFn: ({ signal }) => {
      const question = `/quiz/${encodeURIComponent(quizId)}/questions/${encodeURIComponent(uuid)}`;
      return api<Translation>(`${question}/translation?language=${encodeURIComponent(language)}`, {
        signedIn: true,
        signal,
      });
    },
    staleTime: Infinity,
  });
