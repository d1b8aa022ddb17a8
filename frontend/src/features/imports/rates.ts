/** The progress of an import at a moment. */
export interface Sample {
  /** Milliseconds. */
  at: number;
  rows: number;
  /** Bytes of the file that were processed. */
  bytes: number;
}

/** Rows and bytes per second. */
export interface Rates {
  rows: number;
  bytes: number;
}

/** Long enough for a stable number, short enough to follow changes. */
const WINDOW_MS = 20_000;
const MIN_WINDOW_MS = 1_500;

/** Adds a sample, and keeps those of the last 20 seconds and one before. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const oldest = sample.at - WINDOW_MS;
  const firstRecent = samples.findIndex(({ at }) => at >= oldest);
  const kept = firstRecent === -1 ? samples.slice(-1) : samples.slice(Math.max(0, firstRecent - 1));
  return [...kept, sample];
}

export function ratesOf(samples: readonly Sample[]): Rates | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < MIN_WINDOW_MS) return null;
  const seconds = (last.at - first.at) / 1000;
  return { rows: (last.rows - first.rows) / seconds, bytes: (last.bytes - first.bytes) / seconds };
}

/** Seconds until the whole file is processed, or null if unknown. */
export function secondsLeft(
  { bytes_total, bytes_done }: { bytes_total: number | null; bytes_done: number },
  rates: Rates | null,
): number | null {
  if (bytes_total === null || !rates || rates.bytes <= 0) return null;
  return Math.max(0, bytes_total - bytes_done) / rates.bytes;
}
