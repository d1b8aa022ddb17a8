import type { MarkRequest } from '@proveklar/contract/quiz.ts';
import { api } from '#lib/api-client.ts';

/** Marks a question of a practice test to come back to it, or takes the mark back. */
export function markQuestion(id: string, uuid: string, marked: boolean): Promise<{ ok: true }> {
  const body: MarkRequest = { marked };
  return api(`/quiz/${id}/questions/${uuid}/mark`, { method: 'PUT', signedIn: true, body });
}
