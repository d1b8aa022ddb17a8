import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useOwnQuiz } from '../../use-quiz-run.ts';
import { QuizRun } from './quiz-run.tsx';

export function OwnQuizRun({ session }: { session: QuizSession }) {
  return <QuizRun session={session} quiz={useOwnQuiz(session.id)} />;
}
