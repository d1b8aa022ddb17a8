import type { TopicProgress } from '../api.ts';

/** What needs practice most stands first; topics with too few answers come last, as they were. */
export function byStrength(topics: readonly TopicProgress[]): TopicProgress[] {
  const known = topics.filter(({ enough }) => enough);
  return [
    ...known.toSorted((a, b) => a.right / a.met - b.right / b.met || b.met - a.met),
    ...topics.filter(({ enough }) => !enough),
  ];
}
