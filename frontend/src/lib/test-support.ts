import { afterEach, beforeEach, vi } from 'vitest';

/** Browser storage that is empty at the start of each test. @returns its content */
export function withMemoryStorage(
  ...names: ('localStorage' | 'sessionStorage')[]
): Map<string, string> {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  beforeEach(() => {
    stored.clear();
    for (const name of names) vi.stubGlobal(name, storage);
  });
  afterEach(() => void vi.unstubAllGlobals());
  return stored;
}

/** A condition in Norwegian that begins with its verb ("Har du betalt, får du …"): easily read as a question. */
export const VERB_FIRST =
  /(?:^|[.:] |")(?:Blir|Er|Får|Går|Gir|Har|Kommer|Kan|Mister|Prøver|Sendte|Ser|Sier|Skjer|Sperrer|Stenger|Trenger|Var|Vil)(?:, \p{Ll}+ eller \p{Ll}+)? (?:du|dere|vi|det|den|de|ikke|noen|en|et|\p{Ll}+(?:en|et|ene)) [^.?!:"]+, [^.?!"]+\./u;
