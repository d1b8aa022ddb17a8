import type { Grant, GrantAudience, GrantRequest } from '@proveklar/contract/admin-payments.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { usersKeys } from '../keys.ts';

/** Gives days of service; sent again under the same key, they are given once. */
export function grantDays({ key, body }: { key: string; body: GrantRequest }): Promise<Grant> {
  const headers = { 'idempotency-key': key };
  return api('/admin/grants', { method: 'POST', headers, body, signedIn: true });
}

/** How many accounts are active now. */
export const grantAudienceQuery = queryOptions({
  queryKey: usersKeys.grantAudience(),
  queryFn: ({ signal }) => api<GrantAudience>('/admin/grants/audience', { signedIn: true, signal }),
  staleTime: 0,
});
