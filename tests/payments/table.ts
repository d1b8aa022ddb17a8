/** The results of a run, which are printed as a table; the test asserts those that matter. */
export type Results = Record<string, number | string>;

export function printTable(title: string, results: Results): void {
  const width = Math.max(...Object.keys(results).map((name) => name.length));
  const lines = Object.entries(results).map(
    ([name, value]) => `  ${name.padEnd(width)}  ${String(value).padStart(10)}`,
  );
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
}
