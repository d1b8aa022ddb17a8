import type {
  QualityResponse,
  QualitySummaryResponse,
} from '@proveklar/contract/question-quality.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { qualityKeys } from '../keys.ts';
import type { QualitySearch } from '../quality-search.ts';

/** How the questions of the bank are doing. */
export const summaryQuery = queryOptions({
  queryKey: qualityKeys.summary(),
  queryFn: ({ signal }) =>
    api<QualitySummaryResponse>('/admin/quality/summary', { signedIn: true, signal }),
});

/** A page of the questions that look wrong, the worst first. */
export function queueQuery(search: QualitySearch) {
  const { reason, page = 1 } = search;
  const parameters = new URLSearchParams({ page: String(page), ...(reason && { reason }) });
  return queryOptions({
    queryKey: qualityKeys.queue(search),
    queryFn: ({ signal }) =>
      api<QualityResponse>(`/admin/quality?${parameters.toString()}`, { signedIn: true, signal }),
    placeholderData: keepPreviousData,
  });
}
