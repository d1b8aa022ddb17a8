import type { AnswerRequest, AnswerResponse } from '@proveklar/gateway/contract/quiz.ts';
import { api } from '#lib/api-client.ts';

/** Sends one answer. Safe to send again: a drill keeps the first, a practice test the last. */
export function answerQuestion(quizId: string, body: AnswerRequest): Promise<AnswerResponse> {
  return api(`/quiz/${quizId}/answer`, { method: 'POST', signedIn: true, body });
}
