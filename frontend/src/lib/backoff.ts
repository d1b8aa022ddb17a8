export interface BackoffOptions {
  /** The wait after the first failure, in milliseconds. */
  min: number;
  /** The longest wait before the jitter, in milliseconds. */
  max: number;
  /** The range of the random factor: clients that failed at the same moment must not retry at the same moment. */
  jitter?: readonly [least: number, most: number];
  /** Replaced in tests. */
  random?: () => number;
}

/**
 * How long to wait before the next try, in milliseconds: `min`, doubled by each further failure up to
 * `max`. services/lifecycle/backoff.ts is the same for the back end, which the browser must not import.
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
