import { QUESTIONS } from '#lib/question-areas.ts';
import type { BankSearch } from './bank-search.ts';

export const questionKeys = {
  all: QUESTIONS,
  lists: () => [...QUESTIONS, 'list'] as const,
  list: (search: BankSearch) => [...questionKeys.lists(), search] as const,
  filters: () => [...QUESTIONS, 'filters'] as const,
  one: (id: string) => [...QUESTIONS, 'one', id] as const,
  versions: (id: string) => [...QUESTIONS, 'one', id, 'versions'] as const,
  changes: () => [...QUESTIONS, 'changes'] as const,
  // Below feedback, so that a report that comes in is shown at once.
  reports: (id: number) => ['admin', 'feedback', 'of-question', id] as const,
};
