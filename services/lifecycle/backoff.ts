export interface BackoffOptions {
  /** The delay after the first failure, in milliseconds. */
  min: number;
  /** The longest delay before jitter, in milliseconds. */
  max: number;
  /** The range of a random factor, so that clients that fail together do not retry together. */
  jitter?: readonly [low: number, high: number];
  /** Replaced in tests. */
  random?: () => number;
}

/**
 * The delay before the next attempt, in milliseconds: `min`, doubled by each further failure up to
 * `max`. frontend/src/lib/backoff.ts is the same for the browser, which imports nothing from here.
 *
 * @param failures in a row before the latest: 0 gives `min`
 */
export function backoff(
  failures: number,
  { min, max, jitter: [low, high] = [1, 1], random = Math.random }: BackoffOptions,
): number {
  const share = random();
  return Math.min(min * 2 ** failures, Math.max(min, max)) * (low * (1 - share) + high * share);
}
