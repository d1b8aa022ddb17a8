import { QUALITY } from '#lib/question-areas.ts';
import type { QualitySearch } from './quality-search.ts';

export const qualityKeys = {
  all: QUALITY,
  summary: () => [...QUALITY, 'summary'] as const,
  queue: (search: QualitySearch) => [...QUALITY, 'queue', search] as const,
  question: (id: string) => [...QUALITY, 'question', id] as const,
};
