export const importKeys = {
  all: ['admin', 'imports'] as const,
  list: (page: number) => [...importKeys.all, 'list', page] as const,
  one: (id: string) => [...importKeys.all, 'one', id] as const,
  /** Apart from the others: what became of a row does not change while other imports go on. */
  rows: (id: string, outcome: string) => ['admin', 'import-rows', id, outcome] as const,
  /** Apart too: a list that is gone through must not move while the search goes on. */
  similar: (id: string) => ['admin', 'import-similar', id] as const,
};
