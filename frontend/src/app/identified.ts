import { SIGN_IN_PAGES } from '@proveklar/contract/page.ts';
import { createRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { configQuery } from '#lib/config.ts';
import { seemsSignedIn } from '#lib/cookies.ts';
import { queryClient } from '#lib/query-client.ts';
import { identity, provideIdentitySettings } from '#lib/session.ts';
import { rootRoute } from './root.tsx';

provideIdentitySettings(async () => (await queryClient.ensureQueryData(configQuery)).identity);

/**
 * Pages that depend on who is signed in. They show nothing of their own before that is known; only a
 * page with the sign-in form, which most likely stays, is there at once.
 */
export const identified = createRoute({
  getParentRoute: () => rootRoute,
  id: 'identified',
  beforeLoad: async ({ location }) => {
    // Nobody is, while the pages are built.
    if (typeof document === 'undefined') return;
    if (Object.hasOwn(SIGN_IN_PAGES, location.pathname) && !seemsSignedIn()) return;
    await identity();
  },
});

const RETRY_MS = 5_000;

/** For a page with the sign-in form: finds out who is signed in once the form can be seen. */
export function useIdentityAfterwards(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    // Who signs in asks for it too, and is told what is wrong.
    function find() {
      identity().catch(() => (timer = setTimeout(find, RETRY_MS)));
    }
    find();
    return () => clearTimeout(timer);
  }, []);
}
