import type { FeedbackResponse } from '@proveklar/contract/feedback.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { feedbackKeys } from '../keys.ts';

/** How many reports there are, open and closed. */
export async function countReports(signal: AbortSignal): Promise<number> {
  const { total } = await api<FeedbackResponse>('/admin/feedback', { signedIn: true, signal });
  return total;
}

/** The same, read again whenever a report arrives. */
export const reportCountQuery = queryOptions({
  queryKey: feedbackKeys.count,
  queryFn: ({ signal }) => countReports(signal),
});
