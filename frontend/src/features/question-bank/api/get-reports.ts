import type { FeedbackResponse } from '@proveklar/contract/feedback.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { questionKeys } from '../keys.ts';

/** What learners have reported about a question, the newest first. */
export const reportsQuery = (id: number) =>
  queryOptions({
    queryKey: questionKeys.reports(id),
    queryFn: ({ signal }) =>
      api<FeedbackResponse>(`/admin/feedback?question_id=${id}`, { signedIn: true, signal }),
  });
