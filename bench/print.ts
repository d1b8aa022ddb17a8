import { machine } from './machine.ts';
import type { Result } from './results.ts';
import type { Row } from './row.ts';
import { SERVER_SETTINGS } from './support/scratch.ts';

/** The heading, with the host: results without it mean nothing. */
export function heading(quick: boolean): string {
  const { cpu, cores, memory_gb, platform, node } = machine();
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const settings = Object.entries(SERVER_SETTINGS).map(([name, value]) => `${name}=${value}`);
  const lines = [
    `${date} UTC, ${cpu}, ${cores} cores, ${memory_gb} GB, ${platform}, Node ${node}`,
    `PostgreSQL with ${settings.join(', ')}; else its defaults`,
  ];
  if (quick) lines.push('Small (--quick): shows that the rows run, not how fast anything is.');
  return lines.join('\n');
}

/** Formats a row: both sides, the ratio, the target, and the details. */
export function describe(row: Row, result: Result): string {
  const lines = [`${row.id}  ${row.title}`];
  if (result.measured) {
    const { value, limit, ratio, target, at, met, unit } = result;
    lines.push(
      `    ${value} ${unit}  ${row.sides.value}`,
      `    ${limit} ${unit}  ${row.sides.limit}`,
      `    ratio ${ratio}, target at ${at} ${target}: ${met ? 'met' : 'NOT MET'}`,
    );
    if (result.table.length > 0) lines.push(...columns(result.table));
  } else {
    lines.push('    not measured');
  }
  return [...lines, ...result.notes.map((note) => `    - ${note}`)].join('\n');
}

function columns(table: string[][]): string[] {
  const width = (column: number) => Math.max(...table.map((line) => line[column]?.length ?? 0));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(width(column)) : cell.padStart(width(column));
  return table.map((line) => `      ${line.map((cell, column) => pad(cell, column)).join('  ')}`);
}
