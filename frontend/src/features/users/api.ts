import type { Grant, GrantAudience, GrantRequest } from '@proveklar/contract/admin-payments.ts';
import type { DisableUserRequest, User, UsersResponse } from '@proveklar/contract/users.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

type UsersWish = { email: string; pageToken: string | undefined };

export const usersKeys = {
  all: ['admin', 'users'] as const,
  list: (wish: UsersWish) => [...usersKeys.all, 'list', wish] as const,
  grantAudience: () => [...usersKeys.all, 'grant-audience'] as const,
};

/** A page of the users; of those whose address has `email` in it, if that is not empty. */
export function usersQuery(wish: UsersWish) {
  const search = new URLSearchParams();
  if (wish.email) search.set('email', wish.email);
  if (wish.pageToken) search.set('page_token', wish.pageToken);
  return queryOptions({
    queryKey: usersKeys.list(wish),
    queryFn: ({ signal }) =>
      api<UsersResponse>(`/admin/users?${search.toString()}`, { signedIn: true, signal }),
    placeholderData: keepPreviousData,
  });
}

export function deleteUser(uid: string): Promise<{ ok: true }> {
  return api(`/admin/users/${encodeURIComponent(uid)}`, { method: 'DELETE', signedIn: true });
}

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

/** Has the sign-in service mail a user the link under which they choose a password. */
export function sendPasswordLink(uid: string): Promise<{ ok: true }> {
  const path = `/admin/users/${encodeURIComponent(uid)}/password-link`;
  return api(path, { method: 'POST', signedIn: true });
}

/** Keeps a user out, or lets them in again. */
export function setDisabled(uid: string, disabled: boolean, reason?: string): Promise<User> {
  const path = `/admin/users/${encodeURIComponent(uid)}/${disabled ? 'disable' : 'enable'}`;
  const body: DisableUserRequest | undefined = reason ? { reason } : undefined;
  return api(path, { method: 'POST', ...(body && { body }), signedIn: true });
}
