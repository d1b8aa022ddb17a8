import type {
  ChangedReportsResponse,
  CloseFeedbackRequest,
  FeedbackQuery,
  FeedbackResponse,
  ReportedQuestionsQuery,
  ReportedQuestionsResponse,
} from '@proveklar/contract/feedback.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

export type QuestionsFilter = Required<ReportedQuestionsQuery>;
export type ReportsFilter = Pick<FeedbackQuery, 'state' | 'question_id'> & { page: number };

/**
 * Live updates reload the number of reports. The lists are not below that key, because nothing may move
 * under the pointer while they are read.
 */
export const feedbackKeys = {
  count: ['admin', 'feedback', 'count'] as const,
  lists: ['admin', 'feedback-lists'] as const,
  questions: (filter: QuestionsFilter) => [...feedbackKeys.lists, 'questions', filter] as const,
  reports: (filter: ReportsFilter) => [...feedbackKeys.lists, 'reports', filter] as const,
};

/** The reported questions, with the number of reports at the time of the read. */
export function reportedQuestionsQuery(filter: QuestionsFilter) {
  const search = new URLSearchParams({ ...filter, page: String(filter.page) });
  return queryOptions({
    queryKey: feedbackKeys.questions(filter),
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
    ...NO_AUTO_RELOAD,
  });
}
export type ReportedQuestions = ReportedQuestionsResponse & { reports: number };

/** Single reports, with the number of all reports at the time of the read. */
export function reportsQuery(filter: ReportsFilter) {
  const search = new URLSearchParams({ page: String(filter.page) });
  if (filter.state) search.set('state', filter.state);
  if (filter.question_id) search.set('question_id', String(filter.question_id));
  return queryOptions({
    queryKey: feedbackKeys.reports(filter),
    queryFn: async ({ signal }) => {
      const [reports, list] = await Promise.all([
        countReports(signal),
        api<FeedbackResponse>(`/admin/feedback?${search.toString()}`, { signedIn: true, signal }),
      ]);
      return { ...list, reports };
    },
    placeholderData: keepPreviousData,
    ...NO_AUTO_RELOAD,
  });
}

/** Closes the open reports of a question; reports that arrived after the list was read stay open. */
export function closeFeedback(
  question: number,
  closing: CloseFeedbackRequest,
): Promise<ChangedReportsResponse> {
  const path = `/admin/feedback/questions/${question}/close`;
  return api(path, { method: 'POST', body: closing, signedIn: true });
}

/** Reopens the reports that were closed last. */
export function reopenFeedback(question: number): Promise<ChangedReportsResponse> {
  return api(`/admin/feedback/questions/${question}/reopen`, { method: 'POST', signedIn: true });
}

/** The number of reports, open and closed. */
async function countReports(signal: AbortSignal): Promise<number> {
  const { total } = await api<FeedbackResponse>('/admin/feedback', { signedIn: true, signal });
  return total;
}

/** The number of reports, read again whenever a report arrives. */
export const reportCountQuery = queryOptions({
  queryKey: feedbackKeys.count,
  queryFn: ({ signal }) => countReports(signal),
});

/** Options of a list that is read when it is opened, and not reloaded automatically. */
const NO_AUTO_RELOAD = {
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;
