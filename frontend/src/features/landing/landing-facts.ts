import type { AppLanguage } from '@proveklar/contract/language.ts';
import { type LandingFacts, questionToTry } from '@proveklar/contract/page.ts';
import type { SampleResponse } from '@proveklar/contract/quiz.ts';
import type { ExamsResponse } from '@proveklar/contract/settings.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

/**
 * A question to try, how many there are, and the facts of the practice tests. The gateway writes them into
 * the page, so they are only read after a visit to another page, or when another language is chosen.
 */
export const landingQuery = (language: AppLanguage) =>
  queryOptions({
    queryKey: ['landing', language],
    queryFn: async ({ signal }): Promise<LandingFacts> => {
      const [{ questions, bank_questions }, { exams }] = await Promise.all([
        api<SampleResponse>(`/sample?language=${language}`, { signal }),
        api<ExamsResponse>('/exams', { signal }),
      ]);
      return { question: questionToTry(questions), exams, questions: bank_questions };
    },
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  });
