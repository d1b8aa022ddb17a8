import type { AnswerResponse, QuizQuestion } from '@proveklar/contract/quiz.ts';

/** The question of the landing page, answered. */
export type Tried = { question: QuizQuestion; given: string; result: AnswerResponse };

const KEY = 'proveklar.tried';

/** Stores the answer for the free questions, which go on after it. */
export function writeTried(tried: Tried): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(tried));
  } catch {
    // Storage is blocked or full: the free questions begin with this question again.
  }
}

/** The stored answer, once. */
export function takeTried(): Tried | null {
  try {
    const tried = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Tried | null;
    sessionStorage.removeItem(KEY);
    return tried;
  } catch {
    return null;
  }
}
