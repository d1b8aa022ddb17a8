import type { SampleResponse } from '@proveklar/contract/quiz.ts';
import { queryOptions } from '@tanstack/react-query';
import type { AppLanguage } from '#i18n/language.ts';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

/** The questions that anybody may try; Norwegian ones where there are too few in the language. */
export const sampleQuery = (language: AppLanguage) =>
  queryOptions({
    queryKey: quizKeys.sample(language),
    queryFn: ({ signal }) => api<SampleResponse>(`/sample?language=${language}`, { signal }),
    // Who is at the questions keeps those that they began with.
    refetchOnWindowFocus: false,
  });
