import { worstOf } from './finding.ts';
import { LEARNER_PARTS, type Part, type PartId } from './status.ts';

const VERBS: Partial<Record<PartId, string>> = {
  practise: 'practise',
  pay: 'pay',
  'sign-in': 'sign in',
};

/** All parts in one sentence: first what learners cannot do and why, then what else is not well. */
export function pronounce(parts: readonly Omit<Part, 'since'>[]): string {
  const level = worstOf(parts.map((part) => part.level));
  if (level === 'ok') return 'All is well';
  const faults = parts.filter((part) => part.level === 'fault');
  const barred = faults.filter(({ id }) => LEARNER_PARTS.some((learner) => learner === id));
  if (barred.length > 0) {
    const verbs = barred.map(({ id }) => VERBS[id] ?? id);
    return `Learners cannot ${orList(verbs)}: ${reasons(barred)}`;
  }
  if (faults.length > 0) return `Learners are served, but ${reasons(faults)}`;
  const seen = parts.filter((part) => part.level === 'warning');
  const named = seen.map((part) => inSentence(part.name) + (seen.length > 2 ? '' : because(part)));
  return `It works. To look at: ${named.join(', ')}`;
}

function reasons(parts: readonly Omit<Part, 'since'>[]): string {
  return [...new Set(parts.map(({ findings }) => findings[0]?.found ?? ''))].join('; ');
}

/** "a", "a or b", "a, b or c". */
function orList(words: readonly string[]): string {
  const before = words.slice(0, -1).join(', ');
  return [...(before ? [before] : []), ...words.slice(-1)].join(' or ');
}

const because = ({ findings }: Omit<Part, 'since'>) => ` (${findings[0]?.found ?? ''})`;

const inSentence = (name: string) =>
  name.startsWith('PostgreSQL') ? name : name.charAt(0).toLowerCase() + name.slice(1);
