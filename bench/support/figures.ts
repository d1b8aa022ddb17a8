/** The median: other load on the host spoils some rounds, but rarely most of them. */
export function median(figures: number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The percentile of the figures. */
export function percentile(percent: number, figures: number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Measures a duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Alternates between the sides, so that a slow phase of the host affects both, and starts with each side equally
 * often.
 *
 * @param sides each call measures one side once
 * @returns the figures of each side, in the order of the sides
 */
export async function interleaved(
  rounds: number,
  sides: readonly (() => Promise<number>)[],
): Promise<number[][]> {
  const figures: number[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...sides.keys()];
    if (round % 2 === 1) order.reverse();
    for (const side of order) figures[side]!.push(await sides[side]!());
  }
  return figures;
}
