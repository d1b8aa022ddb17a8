import type { QueryClient } from '@tanstack/react-query';

/** The first parts of the query keys of the administrator's queries about questions. */
export const QUESTIONS = ['admin', 'questions'] as const;
export const QUALITY = ['admin', 'quality'] as const;
export const BANK_RELEASES = ['admin', 'bank-releases'] as const;
/** The counts on the tabs. */
const HOME = ['admin', 'home'] as const;

/** After a change of a question: reloads the bank, its statistics and the review queue. */
export function refreshQuestions(queryClient: QueryClient): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: QUESTIONS }),
    queryClient.invalidateQueries({ queryKey: QUALITY }),
    queryClient.invalidateQueries({ queryKey: HOME }),
  ]);
}
