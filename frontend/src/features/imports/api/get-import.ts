import type { Import } from '@proveklar/contract/imports.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { isRunning, isSearched } from '../import-state.ts';
import { importKeys } from '../keys.ts';

/** Live updates come more often; this is for when they do not come. */
const POLL_MS = 5_000;

export function getImport(id: string, signal?: AbortSignal): Promise<Import> {
  const path = `/admin/imports/${encodeURIComponent(id)}`;
  return api<Import>(path, { signedIn: true, ...(signal ? { signal } : {}) });
}

/**
 * An import, read again and again while it goes on.
 *
 * @param isSending this page is sending its file, so that it may not be there yet
 */
export const importQuery = (id: string, isSending = false) =>
  queryOptions({
    queryKey: importKeys.one(id),
    queryFn: ({ signal }) => getImport(id, signal),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      isSending || (state.data && (isRunning(state.data.state) || isSearched(state.data)))
        ? POLL_MS
        : false,
  });
