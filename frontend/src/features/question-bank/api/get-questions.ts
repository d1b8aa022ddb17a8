import type { QuestionBankResponse } from '@proveklar/contract/questions.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { type BankSearch, toParameters } from '../bank-search.ts';
import { questionKeys } from '../keys.ts';

/** A page of the questions that match; the page before stays until it is here. */
export function questionsQuery(search: BankSearch) {
  return queryOptions({
    queryKey: questionKeys.list(search),
    queryFn: ({ signal }) =>
      api<QuestionBankResponse>(`/questions?${toParameters(search).toString()}`, {
        signedIn: true,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
