import type { Grant, GrantAudience, GrantRequest } from '@proveklar/contract/admin-payments.ts';
import type {
  DisableUserRequest,
  PersonResponse,
  User,
  UsersQuery,
  UsersResponse,
} from '@proveklar/contract/users.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

/** The search parameters of the page of users. */
export type UsersSearch = {
  /** Part of an address or a name. */
  email?: string | undefined;
  status?: NonNullable<UsersQuery['status']> | undefined;
  service?: NonNullable<UsersQuery['service']> | undefined;
  sort?: NonNullable<UsersQuery['sort']> | undefined;
};
type UsersFilter = UsersSearch & { pageToken: string | undefined };

export const USER_STATUSES = ['active', 'disabled'] as const;
export const SERVICE_STATES = ['active', 'ended', 'none'] as const;
export const USER_SORTS = ['email', 'registered', 'expires'] as const;

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Keeps the parameters that the API would accept. */
export function readUsersSearch(parsed: { readonly [key: string]: unknown }): UsersSearch {
  const { email, status, service, sort } = parsed;
  return {
    // The router parses digits alone as a number.
    email: typeof email === 'number' ? String(email) : textOf(email),
    status: USER_STATUSES.find((one) => one === status),
    service: SERVICE_STATES.find((one) => one === service),
    sort: USER_SORTS.find((one) => one === sort),
  };
}

export const usersKeys = {
  all: ['admin', 'users'] as const,
  list: (filter: UsersFilter) => [...usersKeys.all, 'list', filter] as const,
  one: (uid: string) => [...usersKeys.all, 'one', uid] as const,
  grantAudience: () => [...usersKeys.all, 'grant-audience'] as const,
};

/** A page of the users that the filter matches. */
export function usersQuery(filter: UsersFilter) {
  const { pageToken, ...rest } = filter;
  const given = Object.entries({ ...rest, page_token: pageToken });
  const search = new URLSearchParams(given.filter((one): one is [string, string] => !!one[1]));
  return queryOptions({
    queryKey: usersKeys.list(filter),
    queryFn: ({ signal }) =>
      api<UsersResponse>(`/admin/users?${search.toString()}`, { signedIn: true, signal }),
    placeholderData: keepPreviousData,
  });
}

/** A user with quizzes, payments and mails. */
export function personQuery(uid: string) {
  return queryOptions({
    queryKey: usersKeys.one(uid),
    queryFn: ({ signal }) =>
      api<PersonResponse>(`/admin/users/${encodeURIComponent(uid)}`, { signedIn: true, signal }),
    staleTime: 0,
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
