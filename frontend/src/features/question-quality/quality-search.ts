import type { QualityQuery, QualityReason } from '@proveklar/contract/question-quality.ts';

/** The search parameters of the review queue. */
export type QualitySearch = QualityQuery;

/** The worst first. Not imported: the contract's list comes with the code of its schemas. */
export const REASONS = [
  'wrong_option_preferred',
  'reported',
  'negative_discrimination',
  'fact_due',
  'source_outdated',
] as const satisfies readonly QualityReason[];
/** The last page of the queue that can be shown. */
export const MAX_PAGE = 500;

/** Keeps the parameters that the API would accept. */
export function readQualitySearch({ reason, page }: Record<string, unknown>): QualitySearch {
  const known = REASONS.find((one) => one === reason);
  const isPage = Number.isInteger(page) && Number(page) > 1 && Number(page) <= MAX_PAGE;
  return { ...(known && { reason: known }), ...(isPage && { page: Number(page) }) };
}
