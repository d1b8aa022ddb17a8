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
  const side: TextPart[] = [];
  let at = 0;
  for (const { value, added, removed, [missing]: isMissing } of parts) {
    if (isMissing) continue;
    const end = at + value.length;
    const last = side.at(-1);
    // A space between two words that differ is marked with them.
    const differs = added || removed || (value.trim() === '' && last?.differs === true);
    // What differs in its case alone is taken as it stands in this text.
    if (last?.differs === differs) last.text = text.slice(last.at, end);
    else side.push({ at, text: text.slice(at, end), differs });
    at = end;
  }
  return side;
}
