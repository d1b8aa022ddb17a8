import type { BankSearch } from './bank-search.ts';

let last: BankSearch = {};

/** What the list showed last, for the way back from a question. */
export function lastSearch(): BankSearch {
  return last;
}

export function rememberSearch(search: BankSearch): void {
  last = search;
}
