import { countToday } from '#database/daily-count.ts';
import type { Queryable } from '#database/pool.ts';

/** Counts wait in memory for this long, so that a flood of visitors is one write. */
const FLUSH_INTERVAL_MS = 5_000;

export interface OpeningsCount {
  /** Counts an opening of the free sample. */
  add(): void;
  /** Writes what waits, and stops. */
  close(): Promise<void>;
}

/**
 * Counts how often the free sample is opened on a day in Oslo: a number, without anything of the visitor. A process that is
 * killed loses the counts of some seconds.
 *
 * @param onError called when a write fails; the counts wait for the next one
 */
export function countOpenings(db: Queryable, onError: (error: unknown) => void): OpeningsCount {
  let waiting = 0;

  async function flush(): Promise<void> {
    const count = waiting;
    if (count === 0) return;
    waiting = 0;
    try {
      await countToday(db, 'sample_opened', count);
    } catch (error) {
      waiting += count;
      onError(error);
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS);
  timer.unref();
  return {
    add: () => {
      waiting += 1;
    },
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
