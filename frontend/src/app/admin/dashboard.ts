import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { accountQuery } from '#features/account/api.ts';
import { loadTexts } from '#i18n/i18n.ts';
import { queryClient } from '#lib/query-client.ts';
import { getSession } from '#lib/session.ts';
import { identified } from '../identified.ts';
import { ScreenPending } from './screen-pending.tsx';

/** Everything of the portal: its texts are there, whoever is asking. */
export const admin = createRoute({
  getParentRoute: () => identified,
  path: '/admin',
  beforeLoad: () => loadTexts('admin'),
});

/** What only an administrator sees; anybody else is led to the sign-in. The server decides who is. */
export const dashboard = createRoute({
  getParentRoute: () => admin,
  path: '/dashboard',
  beforeLoad: async ({ location }) => {
    const signedIn = getSession().status === 'signed-in';
    if (signedIn && (await queryClient.ensureQueryData(accountQuery)).is_admin) return;
    throw redirect({ to: '/admin', search: { redirect: location.href } });
  },
  component: lazyRouteComponent(() => import('./dashboard-route.tsx'), 'DashboardRoute'),
});

/** What a screen inside the dashboard shows while it is loaded, and when that fails. */
export const screenParts = {
  pendingComponent: ScreenPending,
  errorComponent: lazyRouteComponent(() => import('./screen-error.tsx'), 'ScreenError'),
};
