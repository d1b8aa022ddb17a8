import { diffWordsWithSpace } from 'diff';

export interface TextPart {
  /** Where it begins in its text. */
  at: number;
  text: string;
  differs: boolean;
}

/** Two texts, each in parts that say whether the other text has them too. */
export function compareTexts(
  first: string,
  second: string,
): { first: TextPart[]; second: TextPart[] } {
  const parts = diffWordsWithSpace(first, second, { ignoreCase: true });
  return { first: sideOf(first, parts, 'added'), second: sideOf(second, parts, 'removed') };
}

type Part = ReturnType<typeof diffWordsWithSpace>[number];

/** @param missing what is only in the other text */
function sideOf(text: string, parts: readonly Part[], missing: 'added' | 'removed'): TextPart[] {
  let at = 0;
  return parts
    .filter((part) => !part[missing])
    .map(({ value, added, removed }) => {
      const begin = at;
      at += value.length;
      // What differs in its case alone is taken as it stands in this text.
      return { at: begin, text: text.slice(begin, at), differs: added || removed };
    });
}
