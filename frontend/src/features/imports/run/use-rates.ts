import type { Import } from '@proveklar/contract/imports.ts';
import { useState } from 'react';
import { type Rates, ratesOf, type Sample, withSample } from './rates.ts';

/**
 * How fast an import goes lately.
 *
 * @param readAt when it was read, in milliseconds; 0 while nothing is known of it
 */
export function useRates(one: Import, readAt: number): Rates | null {
  const [samples, setSamples] = useState<Sample[]>([]);
  if (readAt > 0 && samples.at(-1)?.at !== readAt) {
    setSamples(withSample(samples, { at: readAt, rows: one.rows, bytes: one.bytes_done }));
  }
  return ratesOf(samples);
}
