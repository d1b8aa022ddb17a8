/** A seeded pseudorandom number generator. */
export interface Random {
  /** At least 0, below 1. */
  next: () => number;
  /** A whole number from 0 up to, not including, `below`. */
  below: (below: number) => number;
  chance: (probability: number) => boolean;
  /** One of these, each as often as its weight says. */
  weighted: <T extends string>(weights: Record<T, number>) => T;
}

/**
 * Mulberry32, with a stream of its own for each `part` (such as the plan of payment 17), so that what
 * one part draws does not depend on when another part draws.
 */
export function randomFor(seed: number, part: string): Random {
  let state = seed;
  for (const character of part) state = Math.imul(state ^ character.codePointAt(0)!, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    weighted<T extends string>(weights: Record<T, number>): T {
      const entries = Object.entries(weights) as [T, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      return (entries.find(([, weight]) => (left -= weight) < 0) ?? entries.at(-1)!)[0];
    },
  };
}
