import type { EndQuizResponse } from '@proveklar/contract/quiz.ts';
import { api } from '#lib/api-client.ts';
import { LONGEST_TRY_MS } from './answer-question.ts';

export function endQuiz(quizId: string): Promise<EndQuizResponse> {
  return api(`/quiz/${quizId}/end`, {
    method: 'POST',
    signedIn: true,
    signal: AbortSignal.timeout(LONGEST_TRY_MS),
  });
}
