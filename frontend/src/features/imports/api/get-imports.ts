import type { ImportsResponse } from '@proveklar/contract/imports.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { isRunning } from '../import-state.ts';
import { importKeys } from '../keys.ts';

/** Live updates come more often; this is for when they do not come. */
const POLL_MS = 5_000;
export const IMPORTS_PER_PAGE = 20;

/** One page of the imports, the newest first; the page before stays until it is here. */
export const importsQuery = (page: number) =>
  queryOptions({
    queryKey: importKeys.list(page),
    queryFn: ({ signal }) =>
      api<ImportsResponse>(`/admin/imports?page=${page}`, { signedIn: true, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.imports.some((one) => isRunning(one.state)) ? POLL_MS : false,
  });
