import '#theme/components.css';
import { Navigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useSession } from '#lib/session.ts';
import { useIdentityAfterwards } from '../identified.ts';
import { LazyQuizHome } from '../lazy-quiz-home.ts';
import { PendingScreen } from '../pending-screen.tsx';
import { SignInOrRegister } from '../sign-in-or-register.tsx';

export function QuizHomeRoute() {
  useIdentityAfterwards();
  const session = useSession();
  const { redirect } = useSearch({ from: '/identified/quiz' });
  if (session.status !== 'signed-in') return <SignInOrRegister />;
  if (redirect) return <Navigate to={redirect} replace />;
  return (
    <Suspense fallback={<PendingScreen />}>
      <LazyQuizHome user={session.user} />
    </Suspense>
  );
}
