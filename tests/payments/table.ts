/** What a run came to: printed as a table, and what must be so is checked by the test. */
export type Figures = Record<string, number | string>;

export function printTable(title: string, figures: Figures): void {
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  const lines = Object.entries(figures).map(
    ([name, value]) => `  ${name.padEnd(width)}  ${String(value).padStart(10)}`,
  );
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
}
