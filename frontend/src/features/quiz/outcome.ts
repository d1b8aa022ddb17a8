import type { QuizSession } from '@proveklar/contract/quiz.ts';

type Questions = QuizSession['questions'];

/** What to look at again after a quiz: what was wrong, and apart from it what does not count. */
export function outcomeOf({ questions, answers }: Pick<QuizSession, 'questions' | 'answers'>): {
  wrong: Questions;
  trial: Questions;
  allRight: boolean;
} {
  const isRight = ({ uuid }: Questions[number]) => answers[uuid]?.correct === true;
  const isTrial = ({ uuid }: Questions[number]) => answers[uuid]?.counted === false;
  return {
    wrong: questions.filter((question) => !isTrial(question) && !isRight(question)),
    trial: questions.filter(isTrial),
    allRight: questions.every(isRight),
  };
}
