export interface BackoffOptions {
  /** The wait after the first failure, in milliseconds. */
  min: number;
  /** No wait is longer before the jitter, in milliseconds. */
  max: number;
  /** Least and most of the random factor: what failed in one moment does not come back in one moment. */
  jitter?: readonly [least: number, most: number];
  /** Replaced in tests. */
  random?: () => number;
}

/**
 * How long to wait before the next try, in milliseconds: `min`, doubled by each further failure up to
 * `max`. frontend/src/lib/backoff.ts is the same for the browser, which imports nothing from here.
 *
 * @param failures in a row, before the one that is waited for now: 0 gives `min`
 */
export function backoff(
  failures: number,
  { min, max, jitter: [least, most] = [1, 1], random = Math.random }: BackoffOptions,
): number {
  const share = random();
  return Math.min(min * 2 ** failures, Math.max(min, max)) * (least * (1 - share) + most * share);
}
