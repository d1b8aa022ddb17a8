import type { AnswerRequest, AnswerResponse } from '@proveklar/contract/quiz.ts';
import { api } from '#lib/api-client.ts';

/** A network that swallows what is sent answers nothing for minutes; a slow service needs seconds. */
export const LONGEST_TRY_MS = 30_000;

/** Sends one answer. Safe to send again: a drill keeps the first, a practice test the last. */
export function answerQuestion(quizId: string, body: AnswerRequest): Promise<AnswerResponse> {
  return api(`/quiz/${quizId}/answer`, {
    method: 'POST',
    signedIn: true,
    body,
    signal: AbortSignal.timeout(LONGEST_TRY_MS),
  });
}
