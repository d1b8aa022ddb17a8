import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '#errors/reason-of.ts';
import { backoff } from './backoff.ts';

const LOOK_AGAIN = { min: 100, max: 2_000 } as const;
const SAY_AGAIN_MS = 30_000;

export interface WaitOptions {
  /** Hears what is missing: at once, when it changes, and every half minute. */
  say: (missing: readonly string[]) => void;
  /** Ends the waiting. */
  signal?: AbortSignal;
  /** Gives up after so long; by default never. */
  patienceMs?: number;
}

/**
 * Looks until nothing is missing, at first often and then every two seconds. A look that fails is taken
 * for something that is missing.
 *
 * @param look says what is missing, in words; nothing when all is there
 * @throws the signal's reason; Error with what was missing when patience is over
 */
export async function waitFor(
  look: () => Promise<readonly string[]>,
  { say, signal, patienceMs = Infinity }: WaitOptions,
): Promise<void> {
  const begun = Date.now();
  let looks = 0;
  let said = '';
  let saidAt = 0;
  for (;;) {
    signal?.throwIfAborted();
    const missing = await look().catch((error: unknown) => [reasonOf(error)]);
    if (missing.length === 0) return;
    const now = Date.now();
    const text = missing.join('; ');
    if (now - begun >= patienceMs) throw new Error(`Waited in vain: ${text}`);
    if (text !== said || now - saidAt >= SAY_AGAIN_MS) {
      said = text;
      saidAt = now;
      say(missing);
    }
    // The abort is looked at above.
    await sleep(backoff(looks, LOOK_AGAIN), undefined, { signal }).catch(() => {});
    looks += 1;
  }
}
