import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { machine, type Machine } from './machine.ts';
import type { Measurement, Row } from './row.ts';

interface Run {
  title: string;
  unit: string;
  /** The target of `ratio`; `at` says whether it is a maximum or a minimum. */
  target: number;
  at: 'most' | 'least';
  quick: boolean;
  date: string;
  machine: Machine;
  notes: string[];
}

export interface Measured extends Run {
  measured: true;
  value: number;
  limit: number;
  ratio: number;
  met: boolean;
  table: string[][];
}

interface Unmeasured extends Run {
  measured: false;
  value: null;
  limit: null;
  ratio: null;
  met: null;
}

export type Result = Measured | Unmeasured;
/** The latest result of each row, by id. */
export type Results = Record<string, Result>;

export function measured(row: Row, quick: boolean, measurement: Measurement): Measured {
  const { value, limit, notes, table = [] } = measurement;
  const ratio = value / limit;
  const { at, ratio: target } = row.target;
  const met = measurement.met ?? (at === 'most' ? ratio <= target : ratio >= target);
  return {
    ...run(row, quick, notes),
    measured: true,
    value: rounded(value),
    limit: rounded(limit),
    ratio: rounded(ratio),
    met,
    table,
  };
}

export function notMeasured(row: Row, quick: boolean, reason: string): Unmeasured {
  const none = { value: null, limit: null, ratio: null, met: null };
  return { ...run(row, quick, [reason]), measured: false, ...none };
}

function run({ title, unit, target }: Row, quick: boolean, notes: string[]): Run {
  return {
    title,
    unit,
    target: target.ratio,
    at: target.at,
    quick,
    date: new Date().toISOString(),
    machine: machine(),
    notes,
  };
}

/** Writes new results to the file. Rows that were not run keep their earlier result. */
export function keepResults(file: string, results: Results): void {
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
  const all = Object.entries({ ...earlier, ...results });
  const order = ([id]: [string, Result]) => Number(id.slice(1));
  const sorted = Object.fromEntries(all.toSorted((one, other) => order(one) - order(other)));
  mkdirSync(dirname(file), { recursive: true });
  // Writes a temporary file and renames it, so that a killed run leaves the old file intact.
  writeFileSync(`${file}.new`, `${JSON.stringify(sorted, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** Rounds to four digits, more than the precision of a benchmark. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
