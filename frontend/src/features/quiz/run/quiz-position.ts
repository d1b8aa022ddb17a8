import type { QuizSession } from '@proveklar/gateway/contract/quiz.ts';

type Answered = Record<string, { answer: string } | undefined>;

/** Where to go on: the first question without an answer, or the last one when all have one. */
export function firstUnanswered(questions: QuizSession['questions'], answers: Answered): number {
  const index = questions.findIndex(({ uuid }) => !answers[uuid]?.answer);
  return index === -1 ? questions.length - 1 : index;
}

export function countAnswered(questions: QuizSession['questions'], answers: Answered): number {
  return questions.filter(({ uuid }) => answers[uuid]?.answer).length;
}

/** The option that a key stands for: 1–9 or A–I. Undefined for any other key. */
export function optionForKey(key: string, options: string[]): string | undefined {
  if (key.length !== 1) return undefined;
  const digit = '123456789'.indexOf(key);
  return options[digit === -1 ? 'abcdefghi'.indexOf(key.toLowerCase()) : digit];
}
