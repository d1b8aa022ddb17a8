import '#theme/components.css';
import { Navigate, useSearch } from '@tanstack/react-router';
import { useSession } from '#lib/session.ts';
import { QuizHome } from '../quiz-home.tsx';
import { SignInOrRegister } from '../sign-in-or-register.tsx';

export function QuizHomeRoute() {
  const session = useSession();
  const { redirect } = useSearch({ from: '/identified/quiz' });
  if (session.status !== 'signed-in') return <SignInOrRegister />;
  if (redirect) return <Navigate to={redirect} replace />;
  return <QuizHome user={session.user} />;
}
