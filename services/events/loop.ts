import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoff } from '#lifecycle/backoff.ts';
import { throttleErrors } from '#logging/logger.ts';

const MAX_BACKOFF_MS = 2_000;

interface LoopOptions {
  signal: AbortSignal;
  log: Logger;
  /** The pause after a round that found no more work; a function is called after each round. */
  pauseMs: number | (() => number);
}

/**
 * Repeats `round` until `signal` is aborted: at once while it returns true for more work, otherwise
 * after a pause. Failed rounds are logged, throttled, and lengthen the pause by a backoff.
 */
export async function loop(
  name: string,
  { signal, log, pauseMs }: LoopOptions,
  round: () => Promise<boolean>,
): Promise<void> {
  const errors = throttleErrors(log, name);
  let failures = 0;
  while (!signal.aborted) {
    let hasMore = false;
    try {
      hasMore = await round();
      failures = 0;
      errors.onRecovery();
    } catch (error) {
      failures += 1;
      errors.onError(error);
    }
    if (hasMore) continue;
    const usual = typeof pauseMs === 'number' ? pauseMs : pauseMs();
    const first = Math.min(usual, MAX_BACKOFF_MS);
    const pause = failures === 0 ? usual : backoff(failures, { min: first, max: MAX_BACKOFF_MS });
    // An abort ends the pause early, which is no error.
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}
