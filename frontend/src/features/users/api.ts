import type { Grant, GrantAudience, GrantRequest } from '@proveklar/contract/admin-payments.ts';
import type { DisableUserRequest, User, UsersResponse } from '@proveklar/contract/users.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

type UsersFilter = { email: string; pageToken: string | undefined };

export const usersKeys = {
  all: ['admin', 'users'] as const,
  list: (filter: UsersFilter) => [...usersKeys.all, 'list', filter] as const,
  grantAudience: () => [...usersKeys.all, 'grant-audience'] as const,
};

/** A page of the users, filtered by a part of their address if `email` is not empty. */
export function usersQuery(filter: UsersFilter) {
  const search = new URLSearchParams();
  if (filter.email) search.set('email', filter.email);
  if (filter.pageToken) search.set('page_token', filter.pageToken);
  return queryOptions({
    queryKey: usersKeys.list(filter),
    queryFn: ({ signal }) =>
      api<UsersResponse>(`/admin/users?${search.toString()}`, { signedIn: true, signal }),
    placeholderData: keepPreviousData,
  });
}

export function deleteUser(uid: string): Promise<{ ok: true }> {
  return api(`/admin/users/${encodeURIComponent(uid)}`, { method: 'DELETE', signedIn: true });
}

/** Grants days of service. Idempotent by the key. */
export function grantDays({ key, body }: { key: string; body: GrantRequest }): Promise<Grant> {
  const headers = { 'idempotency-key': key };
  return api('/admin/grants', { method: 'POST', headers, body, signedIn: true });
}

/** The number of active accounts. */
export const grantAudienceQuery = queryOptions({
  queryKey: usersKeys.grantAudience(),
  queryFn: ({ signal }) => api<GrantAudience>('/admin/grants/audience', { signedIn: true, signal }),
  staleTime: 0,
});

/** Lets the identity provider mail a user a link to set a password. */
export function sendPasswordLink(uid: string): Promise<{ ok: true }> {
  const path = `/admin/users/${encodeURIComponent(uid)}/password-link`;
  return api(path, { method: 'POST', signedIn: true });
}

/** Disables or enables a user. */
export function setDisabled(uid: string, disabled: boolean, reason?: string): Promise<User> {
  const path = `/admin/users/${encodeURIComponent(uid)}/${disabled ? 'disable' : 'enable'}`;
  const body: DisableUserRequest | undefined = reason ? { reason } : undefined;
  return api(path, { method: 'POST', ...(body && { body }), signedIn: true });
}
