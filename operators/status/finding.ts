import type { FindingCode } from '@proveklar/contract/operations.ts';

export type Level = 'ok' | 'warning' | 'fault';

/** The result of one check. */
export interface Finding {
  level: Level;
  found: string;
  /** One sentence: what to do about it. */
  advice?: string;
  /** How long this has been the case, in seconds, if known. */
  forSeconds?: number;
  /** The portal says the finding by it in the reader's language. */
  code?: FindingCode;
  values?: FindingValues;
}

/** What the text of a code is filled in with. Names that end in `_s` are seconds. */
type FindingValues = Record<string, string | number>;

export const ok = (found: string): Finding => ({ level: 'ok', found });
export const warning = (found: string, advice: string, forSeconds?: number): Finding => ({
  level: 'warning',
  found,
  advice,
  ...(forSeconds !== undefined && { forSeconds }),
});
export const fault = (found: string, advice: string, forSeconds?: number): Finding => ({
  level: 'fault',
  found,
  advice,
  ...(forSeconds !== undefined && { forSeconds }),
});

/** A finding that the portal can say in the reader's language. */
export const coded = (
  code: FindingCode,
  finding: Finding,
  values: FindingValues = {},
): Finding => ({ ...finding, code, values });

/** Something that cannot be checked, for a reason that another finding reports. */
export const unchecked = (reason: string): Finding => ({
  level: 'warning',
  found: `not checked: ${reason}`,
});

export const unreadable = (what: string): Finding =>
  coded('unreadable', unchecked(`${what} cannot be read`), { what });

const WORST_FIRST: readonly Level[] = ['fault', 'warning', 'ok'];

/** The worst of the levels. */
export function worstOf(levels: readonly Level[]): Level {
  return WORST_FIRST.find((level) => levels.includes(level)) ?? 'ok';
}

/** "40 s", "12 min", "3 h", "5 days". */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
