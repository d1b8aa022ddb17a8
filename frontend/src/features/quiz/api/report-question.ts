import type { FeedbackRequest } from '@proveklar/contract/feedback.ts';
import { api } from '#lib/api-client.ts';

export type Report = Omit<FeedbackRequest, 'type'>;

/** Reports a question. Safe to send again: there is one report for each learner and question. */
export function reportQuestion(uuid: string, report: Report): Promise<{ ok: true }> {
  const body: FeedbackRequest = { type: 'thumbs_down', ...report };
  return api(`/questions/${uuid}/feedback`, { method: 'POST', signedIn: true, body });
}
