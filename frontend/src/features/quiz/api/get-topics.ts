import type { TopicsResponse } from '@proveklar/gateway/contract/topics.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import type { AppLanguage } from '#i18n/language.ts';
import { quizKeys } from '../keys.ts';

export type Topics = { topics: string[]; language: AppLanguage };

async function getTopics(language: AppLanguage, signal: AbortSignal): Promise<Topics> {
  const { topics } = await api<TopicsResponse>(`/topics?language=${language}`, { signal });
  return { topics, language };
}

/** The topics in the language of the screen, else in Norwegian, where there are always most. */
export const topicsQuery = (language: AppLanguage) =>
  queryOptions({
    queryKey: quizKeys.topics(language),
    queryFn: async ({ signal }) => {
      const found = await getTopics(language, signal);
      return found.topics.length === 0 && language !== 'no' ? getTopics('no', signal) : found;
    },
  });
