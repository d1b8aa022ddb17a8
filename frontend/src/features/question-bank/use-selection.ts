import type { BankQuestion, QuestionSelection } from '@proveklar/contract/questions.ts';
import { useState } from 'react';
import { MAX_SELECTED_IDS } from '@proveklar/contract/limits.ts';
import { type BankSearch, filterOf } from './bank-search.ts';

const NONE: ReadonlySet<number> = new Set();

/** Which questions are chosen: some, page by page, or all that match. Another filter, none. */
export function useSelection(search: BankSearch) {
  const filter = filterOf(search);
  const key = JSON.stringify(filter);
  const [kept, setKept] = useState({ key, ids: NONE, all: false });
  const { ids, all } = kept.key === key ? kept : { ids: NONE, all: false };
  const set = (next: { ids: ReadonlySet<number>; all: boolean }) => setKept({ key, ...next });

  /** Out of all that match, what stays chosen is the rest of the page. */
  function toggle(
    questions: readonly BankQuestion[],
    chosen: boolean,
    page: readonly BankQuestion[] = [],
  ) {
    const next = new Set(all ? page.map(({ id }) => id) : ids);
    for (const { id } of questions) {
      if (!chosen) next.delete(id);
      else if (next.size < MAX_SELECTED_IDS) next.add(id);
    }
    set({ ids: next, all: false });
  }

  return {
    all,
    has: (id: number) => all || ids.has(id),
    countOf: (total: number) => (all ? total : ids.size),
    toggle,
    takeAll: () => set({ ids: NONE, all: true }),
    clear: () => set({ ids: NONE, all: false }),
    /** As the API takes it. */
    value: (): QuestionSelection => (all ? { filter } : { ids: [...ids] }),
  };
}
export type Selected = ReturnType<typeof useSelection>;
