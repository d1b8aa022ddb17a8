import type { TopicsResponse } from '@proveklar/contract/questions.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { quizKeys } from '../keys.ts';

export type Topics = { topics: string[]; language: string };

async function getTopics(language: string, signal: AbortSignal): Promise<Topics> {
  const { topics } = await api<TopicsResponse>(`/topics?language=${encodeURIComponent(language)}`, {
    signal,
  });
  return { topics, language };
}

/** The topics in a language, else in Norwegian, where there are always most: the answer says which. */
export const topicsQuery = (language: string) =>
  queryOptions({
    queryKey: quizKeys.topics(language),
    queryFn: async ({ signal }) => {
      const found = await getTopics(language, signal);
      return found.topics.length === 0 && language !== 'no' ? getTopics('no', signal) : found;
    },
  });
