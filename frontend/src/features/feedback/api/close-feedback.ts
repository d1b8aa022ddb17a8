import type { ChangedReportsResponse, CloseFeedbackRequest } from '@proveklar/contract/feedback.ts';
import { api } from '#lib/api-client.ts';

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
