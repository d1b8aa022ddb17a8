import '#theme/components.css';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { accountQuery } from '#features/account/api.ts';
import { configQuery } from '#lib/config.ts';
import { useSession } from '#lib/session.ts';
import { useIdentityAfterwards } from '../identified.ts';
import { PendingScreen } from '../pending-screen.tsx';
import { LazyQuizHome, LazySignInOrRegister } from '../lazy-quiz-home.ts';

/** After registering with Google: a learner without access pays for it, as after the form. */
function Registered() {
  const { data: account, isError } = useQuery(accountQuery);
  const { data: config } = useQuery(configQuery);
  if (!isError && (!account || !config)) return <PendingScreen />;
  const pays = config !== undefined && config.price > 0 && account?.account.is_active === false;
  return <Navigate to={pays ? '/quiz/billing' : '/quiz'} replace />;
}

export function QuizHomeRoute() {
  useIdentityAfterwards();
  const session = useSession();
  // Also while a visitor types their password.
  useEffect(() => void LazyQuizHome.preload?.(), []);
  const { redirect, mode } = useSearch({ from: '/identified/quiz' });
  if (session.status !== 'signed-in') {
    return (
      <Suspense fallback={<PendingScreen />}>
        <LazySignInOrRegister />
      </Suspense>
    );
  }
  if (redirect) return <Navigate to={redirect} replace />;
  if (mode === 'register') return <Registered />;
  return (
    <Suspense fallback={<PendingScreen />}>
      <LazyQuizHome user={session.user} />
    </Suspense>
  );
}
