import { useState } from 'react';

/**
 * The token of each page up to the one that is shown, for the identity provider knows no way back.
 * Tokens belong to a search: with another one the first page is shown.
 */
export function usePageTokens(search: string) {
  const [kept, setKept] = useState({ search, tokens: [] as string[] });
  return {
    tokens: kept.search === search ? kept.tokens : [],
    setTokens: (tokens: string[]) => setKept({ search, tokens }),
  };
}
