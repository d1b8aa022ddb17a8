import type { PortalHomeResponse } from '@proveklar/contract/portal-home.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

/** Live updates read it again, too, at most once in five seconds. */
const POLL_INTERVAL_MS = 60_000;

/** What waits for the role of the user, and today's figures. */
export const portalHomeQuery = queryOptions({
  queryKey: ['admin', 'home'] as const,
  queryFn: ({ signal }) => api<PortalHomeResponse>('/admin/home', { signedIn: true, signal }),
  refetchInterval: POLL_INTERVAL_MS,
});
