import { Suspense } from 'react';
import { pendingEmail } from '#lib/email-change.ts';
import { useHydrated } from '#lib/use-hydrated.ts';
import { LazyEmailChangedNotice } from './lazy-profile.tsx';

/** Above a sign-in form, for a user whose change of address has signed them out. */
export function EmailChanged() {
  const hydrated = useHydrated();
  const email = hydrated ? pendingEmail() : null;
  if (email === null) return null;
  return (
    <Suspense fallback={null}>
      <LazyEmailChangedNotice email={email} />
    </Suspense>
  );
}
