import type { QuizSession } from '@proveklar/contract/quiz.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type Learning, learningKeys } from './api.ts';

const before = new Map<string, Learning>();

/** Keeps what was known before a quiz, as long as the page, to show what has changed. */
export function keepBefore(
  queryClient: QueryClient,
  { id, language }: Pick<QuizSession, 'id' | 'language'>,
): void {
  const cached = queryClient.getQueriesData<Learning>({ queryKey: learningKeys.all() });
  const known = cached.map(([, learning]) => learning).find((one) => one?.language === language);
  if (known) before.set(id, known);
}

export const beforeSet = (quizId: string): Learning | undefined => before.get(quizId);
