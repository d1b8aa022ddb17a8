import type {
  CorrectKeyRequest,
  CorrectKeyResponse,
  CoverageResponse,
  QualityReason,
  QualityResponse,
  QualitySummaryResponse,
  QuestionStatisticsResponse,
} from '@proveklar/contract/question-quality.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { QUALITY } from '#lib/question-areas.ts';
import type { QualitySearch } from './quality-search.ts';

const qualityKeys = {
  all: QUALITY,
  summary: () => [...QUALITY, 'summary'] as const,
  coverage: () => [...QUALITY, 'coverage'] as const,
  queue: (search: QualitySearch) => [...QUALITY, 'queue', search] as const,
  question: (id: string) => [...QUALITY, 'question', id] as const,
};

/** The summary of the bank's quality. */
export const summaryQuery = queryOptions({
  queryKey: qualityKeys.summary(),
  queryFn: ({ signal }) =>
    api<QualitySummaryResponse>('/admin/quality/summary', { signedIn: true, signal }),
});

/** How many questions the bank has for each subject of the curriculum. */
export const coverageQuery = queryOptions({
  queryKey: qualityKeys.coverage(),
  queryFn: ({ signal }) =>
    api<CoverageResponse>('/admin/quality/coverage', { signedIn: true, signal }),
});

/** A page of the review queue, the worst first. */
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

/** While quizzes are being regraded. */
const POLL_INTERVAL_MS = 3_000;

/** The statistics of a question. */
export const statisticsQuery = (id: string) =>
  queryOptions({
    queryKey: qualityKeys.question(id),
    queryFn: ({ signal }) =>
      api<QuestionStatisticsResponse>(`/questions/${encodeURIComponent(id)}/statistics`, {
        signedIn: true,
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data?.regrade && state.data.regrade.completed_at === null ? POLL_INTERVAL_MS : false,
  });

/** Dismisses reasons of a reviewed question, which then leaves the queue for them. */
export async function dismissQuality(id: number, reasons: readonly QualityReason[]): Promise<void> {
  // One after the other. After a failure, repeating the earlier ones is safe.
  for (const reason of reasons) {
    const path = `/admin/quality/${id}/dismiss`;
    await api(path, { method: 'POST', signedIn: true, body: { reason } });
  }
}

/** Makes another option the key; answers are regraded in the background. */
export function correctKey(id: number, body: CorrectKeyRequest): Promise<CorrectKeyResponse> {
  return api(`/questions/${id}/correct-key`, { method: 'POST', signedIn: true, body });
}
