import type { AccountResponse } from '@proveklar/contract/account.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { accountKeys } from '../keys.ts';

export const accountQuery = queryOptions({
  queryKey: accountKeys.own(),
  queryFn: ({ signal }) => api<AccountResponse>('/account', { signedIn: true, signal }),
});
