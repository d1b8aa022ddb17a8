import { api } from '#lib/api-client.ts';

export function cancelQuiz(quizId: string): Promise<{ ok: true }> {
  return api(`/quiz/${quizId}/cancel`, { method: 'POST', signedIn: true });
}
