import type { Identity } from './support/identity.ts';
import type { Scratch } from './support/scratch.ts';

/** The tools for every row. */
export interface Bench {
  /** Small sizes, to check that the row runs and not to measure. */
  quick: boolean;
  scratch: Scratch;
  identity: Identity;
  /** Prints progress. */
  say: (line: string) => void;
}

/** The results of both sides, from one run. */
export interface Measurement {
  /** Ours, in the unit of the row. */
  value: number;
  /** The other side, which ours is compared with. */
  limit: number;
  /** Whether the target is met, if the ratio alone does not decide. */
  met?: boolean;
  /** Conditions of the measurement: sizes, settings, what was left out. */
  notes: string[];
  /** All measured values; the first line has the headings. */
  table?: string[][];
}

/** One comparison, in its own file in `rows/`. */
export interface Row {
  /** The id in the table of targets: P1 … */
  id: string;
  title: string;
  /** Descriptions of `value` and `limit`. */
  sides: { value: string; limit: string };
  unit: 'ms' | 's' | 'MB' | 'per second' | 'points';
  /** The maximum or minimum of value / limit. */
  target: { at: 'most' | 'least'; ratio: number };
  /** @throws NotMeasured when the host lacks something */
  measure: (bench: Bench) => Promise<Measurement>;
}
