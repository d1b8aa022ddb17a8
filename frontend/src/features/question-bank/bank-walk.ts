import type { QuestionBankResponse } from '@proveklar/contract/questions.ts';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { questionsQuery } from './api.ts';
import { type BankSearch, rememberSearch } from './bank-search.ts';

// From question to question in the order of the list. The ids are those that the list showed: a question that
// is validated leaves the list of pending ones, and would otherwise take its neighbours along.

let walk: { search: BankSearch; ids: number[]; first: number; last: number } | undefined;

/** Notes what the list shows, for the links back and to the neighbours of a question. */
export function useRememberedList(search: BankSearch, shown: QuestionBankResponse | undefined) {
  useEffect(() => rememberSearch(search), [search]);
  useEffect(() => {
    if (!shown) return;
    const { page = 1 } = search;
    walk = { search, ids: shown.questions.map(({ id }) => id), first: page, last: page };
  }, [search, shown]);
}

/** Whether the question was in the list, so that it has neighbours. */
export function isInList(id: number): boolean {
  return walk?.ids.includes(id) ?? false;
}

/**
 * The next question of the list, or the previous one (-1), beyond the page too; undefined at its end, and for a
 * question that was not in the list.
 */
export async function neighbourOf(
  queryClient: QueryClient,
  id: number,
  step: 1 | -1,
): Promise<number | undefined> {
  const current = walk;
  const place = current?.ids.indexOf(id) ?? -1;
  if (!current || place < 0) return undefined;
  const known = current.ids[place + step];
  if (known !== undefined) return known;
  const { search, first, last } = current;
  // The same page first: it has other questions once some of these have left the list.
  for (const page of step === 1 ? [last, last + 1] : [first - 1]) {
    if (page < 1) continue;
    const { page: _shown, ...others } = search;
    const query = questionsQuery(page === 1 ? others : { ...others, page });
    const { questions } = await queryClient.fetchQuery({ ...query, staleTime: 0 });
    const seen = new Set(current.ids);
    const fresh = questions.map((one) => one.id).filter((one) => !seen.has(one));
    if (fresh.length === 0) continue;
    current.ids = step === 1 ? [...current.ids, ...fresh] : [...fresh, ...current.ids];
    if (step === 1) current.last = page;
    else current.first = page;
    return step === 1 ? fresh[0] : fresh.at(-1);
  }
  return undefined;
}
