import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useOwnQuiz } from '../../run/use-own-quiz.ts';
import { QuizRun } from './quiz-run.tsx';

export function OwnQuizRun({ session }: { session: QuizSession }) {
  return <QuizRun session={session} keeper={useOwnQuiz(session.id)} />;
}
