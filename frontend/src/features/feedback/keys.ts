import type { FeedbackQuery, ReportedQuestionsQuery } from '@proveklar/contract/feedback.ts';

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
