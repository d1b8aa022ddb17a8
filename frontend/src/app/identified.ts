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
 * The parent route of pages that depend on the session. They wait until it is known; only a page with
 * the sign-in form, which most likely stays, is shown at once.
 */
export const identified = createRoute({
  getParentRoute: () => rootRoute,
  id: 'identified',
  beforeLoad: async ({ location }) => {
    // There is no session while pages are prerendered.
    if (typeof document === 'undefined') return;
    if (Object.hasOwn(SIGN_IN_PAGES, location.pathname) && !seemsSignedIn()) return;
    await identity();
  },
});

const RETRY_DELAY_MS = 5_000;

/** For a page with the sign-in form: loads the session after the form is shown. */
export function useIdentityAfterwards(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    // A failure is not shown here: signing in loads the session too, and shows what is wrong.
    function find() {
      identity().catch(() => (timer = setTimeout(find, RETRY_DELAY_MS)));
    }
    find();
    return () => clearTimeout(timer);
  }, []);
}
