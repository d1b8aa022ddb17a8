import type { UsersResponse } from '@proveklar/contract/users.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { usersKeys, type UsersWish } from '../keys.ts';

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
