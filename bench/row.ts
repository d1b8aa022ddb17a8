import type { Identity } from './support/identity.ts';
import type { Scratch } from './support/scratch.ts';

/** What every row is given. */
export interface Bench {
  /** Small sizes: to see that the row still runs, not to learn how fast anything is. */
  quick: boolean;
  scratch: Scratch;
  identity: Identity;
  /** Tells the person who waits how far it is. */
  say: (line: string) => void;
}

/** Both sides, from one run. */
export interface Measurement {
  /** Ours, in the unit of the row. */
  value: number;
  /** What it is measured against. */
  limit: number;
  /** Where the ratio alone does not decide. */
  met?: boolean;
  /** What somebody needs to know to believe the figures: sizes, settings, what was left out. */
  notes: string[];
  /** Everything that was measured; the first line has the headings. */
  table?: string[][];
}

/** One comparison, in a file of its own under `rows/`. */
export interface Row {
  /** As in the table of targets: P1 … */
  id: string;
  title: string;
  /** What `value` and `limit` are. */
  sides: { value: string; limit: string };
  unit: 'ms' | 's' | 'MB' | 'per second' | 'points';
  /** What value / limit may be at most, or must be at least. */
  target: { at: 'most' | 'least'; ratio: number };
  /** @throws NotMeasured when the machine lacks something */
  measure: (bench: Bench) => Promise<Measurement>;
}
