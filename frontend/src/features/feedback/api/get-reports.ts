import type { FeedbackResponse } from '@proveklar/contract/feedback.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { feedbackKeys, type ReportsWish } from '../keys.ts';
import { countReports } from './count-reports.ts';
import { STILL } from './still.ts';

/** Reports one by one, and how many there were of all when they were read. */
export function reportsQuery(wish: ReportsWish) {
  const search = new URLSearchParams({ page: String(wish.page) });
  if (wish.state) search.set('state', wish.state);
  if (wish.question_id) search.set('question_id', String(wish.question_id));
  return queryOptions({
    queryKey: feedbackKeys.reports(wish),
    queryFn: async ({ signal }) => {
      const [reports, list] = await Promise.all([
        countReports(signal),
        api<FeedbackResponse>(`/admin/feedback?${search.toString()}`, { signedIn: true, signal }),
      ]);
      return { ...list, reports };
    },
    placeholderData: keepPreviousData,
    ...STILL,
  });
}
