import { TestRunner } from 'vitest';

/** What a test measured, by name; with its unit in the name, as in `seconds until drained`. */
export type Figures = Record<string, number | string>;

declare module 'vitest' {
  interface TaskMeta {
    /** For docs/promises.md: tests/promises/promise-reporter.ts reads them. */
    figures?: Figures;
  }
}

/** Keeps figures with the running test, for docs/promises.md. */
export function recordFigures(figures: Figures): void {
  // Figures of a run without a test (a script, a hook) have no promise.
  const test = TestRunner.getCurrentTest();
  if (test) test.meta.figures = { ...test.meta.figures, ...figures };
}

/** Prints a table of what a run measured, and records it; the test asserts the figures that matter. */
export function printTable(title: string, figures: Figures): void {
  recordFigures(figures);
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  const lines = Object.entries(figures).map(
    ([name, value]) => `  ${name.padEnd(width)}  ${String(value).padStart(10)}`,
  );
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
}
