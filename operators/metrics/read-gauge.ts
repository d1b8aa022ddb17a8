import { Gauge, type Registry } from 'prom-client';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';

/** How long a reading is cached: not each scrape costs a query. */
const KEPT_MS = 5_000;
const TIMEOUT_MS = 2_000;

/** One value of a figure. */
export interface Reading {
  labels?: Record<string, string>;
  value: number;
}

/**
 * Makes a reading that several figures share. It is asked for at most every five seconds and never
 * twice at a time; undefined while it fails or takes longer than two.
 */
export function kept<T>(read: () => Promise<T>, keptMs = KEPT_MS): () => Promise<T | undefined> {
  let readAt = -Infinity;
  let isUnderWay = false;
  let reading: Promise<T> | undefined;
  return () => {
    if (!reading || (!isUnderWay && Date.now() - readAt >= keptMs)) {
      readAt = Date.now();
      isUnderWay = true;
      reading = read().finally(() => {
        isUnderWay = false;
      });
    }
    return tryWithTimeout(TIMEOUT_MS, reading);
  };
}

interface ReadGauge {
  name: string;
  help: string;
  labelNames?: string[];
  /** Undefined when it cannot be known now. */
  read: () => Promise<readonly Reading[] | undefined>;
}

/**
 * Adds a figure that is read at each scrape. What cannot be read is left out: an alert that is to
 * sound then too needs `absent()`.
 */
export function addGauge(registry: Registry, { name, help, labelNames = [], read }: ReadGauge) {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const readings = (await read().catch(() => undefined)) ?? [];
      this.reset();
      // Without labels a reset figure is 0, which would be believed.
      if (labelNames.length === 0) this.remove();
      for (const { labels = {}, value } of readings) this.set(labels, value);
    },
  });
}

/** A single value, if there is one. */
export function single(value: number | null | undefined): Reading[] {
  return typeof value === 'number' ? [{ value }] : [];
}
