import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '#errors/reason-of.ts';
import { backoff } from './backoff.ts';

const RETRY_BACKOFF = { min: 100, max: 2_000 } as const;
const REPORT_INTERVAL_MS = 30_000;

export interface WaitOptions {
  /** Called with what is missing: at once, on each change, and every 30 seconds. */
  onMissing: (missing: readonly string[]) => void;
  signal?: AbortSignal;
  /** By default there is no timeout. */
  timeoutMs?: number;
}

/**
 * Repeats a check until nothing is missing, with a backoff of up to two seconds. An error of the check
 * counts as something missing.
 *
 * @param check returns what is missing, in words; an empty list when everything is there
 * @throws the signal's reason; Error with what was missing after the timeout
 */
export async function waitFor(
  check: () => Promise<readonly string[]>,
  { onMissing, signal, timeoutMs = Infinity }: WaitOptions,
): Promise<void> {
  const startedAt = Date.now();
  let attempts = 0;
  let reported = '';
  let reportedAt = 0;
  for (;;) {
    signal?.throwIfAborted();
    const missing = await check().catch((error: unknown) => [reasonOf(error)]);
    if (missing.length === 0) return;
    const now = Date.now();
    const text = missing.join('; ');
    if (now - startedAt >= timeoutMs) throw new Error(`Timed out waiting for: ${text}`);
    if (text !== reported || now - reportedAt >= REPORT_INTERVAL_MS) {
      reported = text;
      reportedAt = now;
      onMissing(missing);
    }
    // The next round handles the abort.
    await sleep(backoff(attempts, RETRY_BACKOFF), undefined, { signal }).catch(() => {});
    attempts += 1;
  }
}
