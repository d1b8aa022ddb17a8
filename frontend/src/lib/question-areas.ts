import type { QueryClient } from '@tanstack/react-query';

/** What the administrator's queries about questions begin with; live updates name the same. */
export const QUESTIONS = ['admin', 'questions'] as const;
export const QUALITY = ['admin', 'quality'] as const;

/** After a question was changed: the bank, its figures and the review queue are read again. */
export function refreshQuestions(queryClient: QueryClient): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: QUESTIONS }),
    queryClient.invalidateQueries({ queryKey: QUALITY }),
  ]);
}
