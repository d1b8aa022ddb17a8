import type { Level } from '@proveklar/services/operations/finding.ts';
import { html, type Html } from './html.ts';

const MARKS: Record<Level, { mark: string; says: string }> = {
  ok: { mark: '✓', says: 'Well' },
  warning: { mark: '!', says: 'To look at' },
  fault: { mark: '✗', says: 'At fault' },
};

/** The sign alone, for where there is only text. */
export const signOf = (level: Level): string => MARKS[level].mark;

/** The mark of a level; it is read aloud in words. */
export function markOf(level: Level): Html {
  const { mark, says } = MARKS[level];
  return html`<span class="mark ${level}" role="img" aria-label="${says}">${mark}</span>`;
}
