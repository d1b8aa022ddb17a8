import type { QuestionFiltersResponse } from '@proveklar/contract/questions.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { questionKeys } from '../keys.ts';

/** The topics and languages that there are. */
export const filtersQuery = queryOptions({
  queryKey: questionKeys.filters(),
  queryFn: ({ signal }) =>
    api<QuestionFiltersResponse>('/questions/filters', { signedIn: true, signal }),
});
