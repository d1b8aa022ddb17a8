import type { NearDuplicatesResponse } from '@proveklar/contract/imports.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { importKeys } from '../keys.ts';

export const PAIRS_PER_PAGE = 20;
/** Counting ends here. */
export const MOST_PAIRS = 10_000;

/**
 * One page of an import's questions that are much like others, the most alike first.
 *
 * @param isOver the search has ended: then the list is read again
 */
export const similarQuestionsQuery = (id: string, page: number, isOver: boolean) =>
  queryOptions({
    queryKey: [...importKeys.similar(id), page, isOver],
    queryFn: ({ signal }) =>
      api<NearDuplicatesResponse>(`/admin/imports/${id}/near-duplicates?page=${page}`, {
        signedIn: true,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
