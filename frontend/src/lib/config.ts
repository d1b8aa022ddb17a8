import type { ConfigResponse } from '@proveklar/contract/config.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client.ts';

/** Settings of this environment, read at run time: one build serves them all. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => api<ConfigResponse>('/config', { signal }),
  staleTime: 5 * 60_000,
});
