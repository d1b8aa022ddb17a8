import type { QuizSession, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { api } from '#lib/api-client.ts';

export function startQuiz(body: StartQuizRequest): Promise<QuizSession> {
  return api('/quiz/start', { method: 'POST', signedIn: true, body });
}
