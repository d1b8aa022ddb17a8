import type { AnswerRequest, AnswerResponse } from '@proveklar/contract/quiz.ts';
import { api } from '#lib/api-client.ts';

/** Has an answer judged. Nothing is stored, so it is safe to send again. */
export function answerSample(body: AnswerRequest): Promise<AnswerResponse> {
  return api('/sample/answer', { method: 'POST', body });
}
