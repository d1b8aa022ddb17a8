import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoff } from '@proveklar/services/lifecycle/backoff.ts';
import { quietErrors } from '@proveklar/services/logging/logger.ts';

const MAX_BACKOFF_MS = 2_000;

export interface LoopOptions {
  signal: AbortSignal;
  log: Logger;
  /** After a round that found no more work; a function is asked each time. */
  pauseMs: number | (() => number);
}

/**
 * Runs `round` again and again until `signal` is aborted: at once while it finds more work, otherwise
 * after a pause. A round that fails is logged, though not each time, and the pause grows.
 */
export async function loop(
  name: string,
  { signal, log, pauseMs }: LoopOptions,
  round: () => Promise<boolean>,
): Promise<void> {
  const errors = quietErrors(log, name);
  let failures = 0;
  while (!signal.aborted) {
    const usual = typeof pauseMs === 'number' ? pauseMs : pauseMs();
    let pause = usual;
    try {
      if (await round()) pause = 0;
      failures = 0;
      errors.mended();
    } catch (error) {
      failures += 1;
      pause = backoff(failures, { min: usual, max: MAX_BACKOFF_MS });
      errors.failed(error);
    }
    // The abort ends the pause early; that is no fault.
    if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => {});
  }
}
