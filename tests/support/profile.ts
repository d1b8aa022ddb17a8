import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a test run spends time on besides the tests' own work. */
export type ProfilePhase = 'database' | 'gateway' | 'stack' | 'browser' | 'poll';

/** One line of a profile. */
export interface ProfileEntry {
  phase: ProfilePhase;
  ms: number;
}

/** Runs `work`, and records how long it took when the run is profiled. */
export async function timed<T>(phase: ProfilePhase, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    note(phase, performance.now() - began);
  }
}

/** Records `ms` of `phase` in the folder that `npm test -- --profile` sets; does nothing in other runs. */
export function note(phase: ProfilePhase, ms: number): void {
  const folder = process.env.TEST_PROFILE;
  if (!folder) return;
  const entry: ProfileEntry = { phase, ms };
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(entry)}\n`);
}
