import type { QualityQuery, QualityReason } from '@proveklar/contract/question-quality.ts';

/** What the address of the review queue says. */
export type QualitySearch = QualityQuery;

/** The worst first. Written out here: the contract's list comes with the code of its schemas. */
export const REASONS = [
  'wrong_option_preferred',
  'reported',
  'negative_discrimination',
  'source_outdated',
] as const satisfies readonly QualityReason[];
/** The queue is shown as far as this. */
export const MOST_PAGES = 500;

/** Takes from an address what the API would take. */
export function readQualitySearch({ reason, page }: Record<string, unknown>): QualitySearch {
  const known = REASONS.find((one) => one === reason);
  const isPage = Number.isInteger(page) && Number(page) > 1 && Number(page) <= MOST_PAGES;
  return { ...(known && { reason: known }), ...(isPage && { page: Number(page) }) };
}
