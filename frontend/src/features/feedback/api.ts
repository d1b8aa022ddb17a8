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

export type QuestionsWish = Required<ReportedQuestionsQuery>;
export type ReportsWish = Pick<FeedbackQuery, 'state' | 'question_id'> & { page: number };

/**
 * What is live is how many reports there are. The lists lie beside it and stand still while they are
 * read: nothing may move under the pointer.
 */
export const feedbackKeys = {
  count: ['admin', 'feedback', 'count'] as const,
  lists: ['admin', 'feedback-lists'] as const,
  questions: (wish: QuestionsWish) => [...feedbackKeys.lists, 'questions', wish] as const,
  reports: (wish: ReportsWish) => [...feedbackKeys.lists, 'reports', wish] as const,
};

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

/** Closes the open reports of a question; those that came later than what was shown stay open. */
export function closeFeedback(
  question: number,
  closing: CloseFeedbackRequest,
): Promise<ChangedReportsResponse> {
  const path = `/admin/feedback/questions/${question}/close`;
  return api(path, { method: 'POST', body: closing, signedIn: true });
}

/** Opens again those that were closed last. */
export function reopenFeedback(question: number): Promise<ChangedReportsResponse> {
  return api(`/admin/feedback/questions/${question}/reopen`, { method: 'POST', signedIn: true });
}

/** How many reports there are, open and closed. */
async function countReports(signal: AbortSignal): Promise<number> {
  const { total } = await api<FeedbackResponse>('/admin/feedback', { signedIn: true, signal });
  return total;
}

/** The same, read again whenever a report arrives. */
export const reportCountQuery = queryOptions({
  queryKey: feedbackKeys.count,
  queryFn: ({ signal }) => countReports(signal),
});

/** Options of a list that is read when it is opened, and then stands still. */
const STILL = {
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;
