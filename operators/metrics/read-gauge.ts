import { Gauge, type Registry } from 'prom-client';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';

/** A reading is cached so that not every scrape costs a query. */
const CACHE_TTL_MS = 5_000;
const TIMEOUT_MS = 2_000;

/** One value of a metric. */
export interface Sample {
  labels?: Record<string, string>;
  value: number;
}

/**
 * Caches a reading that several metrics share. It is read at most every five seconds and once at a time;
 * undefined while it fails or takes longer than two seconds.
 */
export function cachedReading<T>(
  read: () => Promise<T>,
  ttlMs = CACHE_TTL_MS,
): () => Promise<T | undefined> {
  let readAt = -Infinity;
  let isReading = false;
  let reading: Promise<T> | undefined;
  return () => {
    if (!reading || (!isReading && Date.now() - readAt >= ttlMs)) {
      readAt = Date.now();
      isReading = true;
      reading = read().finally(() => {
        isReading = false;
      });
    }
    return tryWithTimeout(TIMEOUT_MS, reading);
  };
}

interface ReadGauge {
  name: string;
  help: string;
  labelNames?: string[];
  /** Undefined when there is no value now. */
  read: () => Promise<readonly Sample[] | undefined>;
}

/**
 * Adds a gauge that is read at each scrape. It has no value while the reading fails: an alert that must
 * fire then too needs `absent()`.
 */
export function addGauge(registry: Registry, { name, help, labelNames = [], read }: ReadGauge) {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const samples = (await read().catch(() => undefined)) ?? [];
      this.reset();
      // `reset` sets a gauge without labels to 0, which would look like a reading.
      if (labelNames.length === 0) this.remove();
      for (const { labels = {}, value } of samples) this.set(labels, value);
    },
  });
}

/** One sample without labels; none without a value. */
export function single(value: number | null | undefined): Sample[] {
  return typeof value === 'number' ? [{ value }] : [];
}
