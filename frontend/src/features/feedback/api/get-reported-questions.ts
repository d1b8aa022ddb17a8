import type { ReportedQuestionsResponse } from '@proveklar/contract/feedback.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { feedbackKeys, type QuestionsWish } from '../keys.ts';
import { countReports } from './count-reports.ts';
import { STILL } from './still.ts';

/** The questions that were reported, and how many reports there were when they were read. */
export function reportedQuestionsQuery(wish: QuestionsWish) {
  const search = new URLSearchParams({ ...wish, page: String(wish.page) });
  return queryOptions({
    queryKey: feedbackKeys.questions(wish),
    queryFn: async ({ signal }) => {
      const [reports, list] = await Promise.all([
        countReports(signal),
        api<ReportedQuestionsResponse>(`/admin/feedback/questions?${search.toString()}`, {
          signedIn: true,
          signal,
        }),
      ]);
      return { ...list, reports };
    },
    placeholderData: keepPreviousData,
    ...STILL,
  });
}
export type ReportedQuestions = ReportedQuestionsResponse & { reports: number };
