import type { QuizSession } from '@proveklar/contract/quiz.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type Learning, learningKeys } from './api.ts';

/** What was known before a quiz, as far as the result compares it. */
export type Before = Pick<Learning, 'language' | 'readiness' | 'topics'>;

type Kept = { quizId: string; language: string; readiness: Learning['readiness'] };

const KEY = 'proveklar.before';
const before = new Map<string, Before>();

/**
 * Keeps what was known before a quiz, to show what has changed. The last one is in the tab's storage too, so that
 * it survives a reload; without its topics, of which there may be thousands.
 */
export function keepBefore(
  queryClient: QueryClient,
  { id, language }: Pick<QuizSession, 'id' | 'language'>,
): void {
  const cached = queryClient.getQueriesData<Learning>({ queryKey: learningKeys.all() });
  const known = cached.map(([, learning]) => learning).find((one) => one?.language === language);
  if (!known) return;
  before.set(id, known);
  const kept: Kept = { quizId: id, language, readiness: known.readiness };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is blocked or full: a reload loses what has changed.
  }
}

export const beforeSet = (quizId: string): Before | undefined =>
  before.get(quizId) ?? readKept(quizId);

function readKept(quizId: string): Before | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Kept> | null;
    if (kept?.quizId !== quizId || !kept.language) return undefined;
    const { language, readiness } = kept;
    const isKnown = typeof readiness?.answers === 'number';
    return { language, readiness: isKnown ? readiness : null, topics: [] };
  } catch {
    return undefined;
  }
}
