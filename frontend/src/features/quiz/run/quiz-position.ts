import type { QuizSession } from '@proveklar/contract/quiz.ts';

type Answered = Record<string, { answer: string } | undefined>;

/** The first unanswered question, or the last one if all are answered. */
export function firstUnanswered(questions: QuizSession['questions'], answers: Answered): number {
  const index = questions.findIndex(({ uuid }) => !answers[uuid]?.answer);
  return index === -1 ? questions.length - 1 : index;
}

/** The next wanted question after this one, wrapping around at the end; undefined if there is none. */
export function nextWanted<Question>(
  questions: Question[],
  index: number,
  isWanted: (question: Question) => boolean,
): number | undefined {
  for (let step = 1; step <= questions.length; step += 1) {
    const next = (index + step) % questions.length;
    if (isWanted(questions[next]!)) return next;
  }
  return undefined;
}

export function countAnswered(questions: QuizSession['questions'], answers: Answered): number {
  return questions.filter(({ uuid }) => answers[uuid]?.answer).length;
}

/**
 * Where a drill with instant feedback continues after a reload: at the question that was shown, if it was
 * just answered and not left by "next" yet; else at the first unanswered one.
 */
export function whereLeft(
  questions: QuizSession['questions'],
  answers: Answered,
  shown: string | null,
): number {
  const first = firstUnanswered(questions, answers);
  return first > 0 && questions[first - 1]?.uuid === shown ? first - 1 : first;
}

/**
 * Where a practice test continues: at the question that this tab showed last, because questions can be
 * skipped and revisited; in another tab at the first unanswered one.
 */
export function whereShown(
  questions: QuizSession['questions'],
  answers: Answered,
  shown: string | null,
): number {
  const index = questions.findIndex(({ uuid }) => uuid === shown);
  return index === -1 ? firstUnanswered(questions, answers) : index;
}

/** The option that a key chooses: 1–9 or A–I. Undefined for any other key. */
export function optionForKey(key: string, options: string[]): string | undefined {
  if (key.length !== 1) return undefined;
  const digit = '123456789'.indexOf(key);
  return options[digit === -1 ? 'abcdefghi'.indexOf(key.toLowerCase()) : digit];
}
