import { diffWordsWithSpace } from 'diff';

export interface TextPart {
  /** Its offset in the text. */
  at: number;
  text: string;
  differs: boolean;
}

/** Splits two texts into parts, each of which the other text has or not. */
export function compareTexts(
  first: string,
  second: string,
): { first: TextPart[]; second: TextPart[] } {
  const parts = diffWordsWithSpace(first, second, { ignoreCase: true });
  return { first: sideOf(first, parts, 'added'), second: sideOf(second, parts, 'removed') };
}

type Part = ReturnType<typeof diffWordsWithSpace>[number];

/** @param missing the kind of part that only the other text has */
function sideOf(text: string, parts: readonly Part[], missing: 'added' | 'removed'): TextPart[] {
  const side: TextPart[] = [];
  let at = 0;
  for (const { value, added, removed, [missing]: isMissing } of parts) {
    if (isMissing) continue;
    const end = at + value.length;
    const last = side.at(-1);
    // A space between two differing words is marked, too.
    const differs = added || removed || (value.trim() === '' && last?.differs === true);
    // Parts that differ only in case are shown as in this text.
    if (last?.differs === differs) last.text = text.slice(last.at, end);
    else side.push({ at, text: text.slice(at, end), differs });
    at = end;
  }
  return side;
}
