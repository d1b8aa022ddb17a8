import type { ImportRowsResponse, RowFilter } from '@proveklar/contract/imports.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { importKeys } from '../keys.ts';

/** What became of the rows that did not simply go in, in the order of the file, 50 at a time. */
export const importRowsQuery = (id: string, outcome: RowFilter) =>
  infiniteQueryOptions({
    queryKey: importKeys.rows(id, outcome),
    queryFn: ({ pageParam, signal }) =>
      api<ImportRowsResponse>(`/admin/imports/${id}/rows?outcome=${outcome}&after=${pageParam}`, {
        signedIn: true,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next_after,
  });
