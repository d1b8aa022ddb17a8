import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from './results.ts';

// Draws the chart of row P12: `node bench/draw-growth.ts`. Plain SVG, readable in light and dark mode.
const RESULTS = join(import.meta.dirname, 'results/latest.json');
const CHART = join(import.meta.dirname, '../docs/operations/growing.svg');

const PARTS = [
  { heading: 'gateways, ms', name: 'gateways', color: '#2a78d6' },
  { heading: 'workers, ms', name: 'workers', color: '#1baf7a' },
  { heading: 'Redis, ms', name: 'Redis', color: '#d64550' },
  { heading: 'PostgreSQL, ms', name: 'PostgreSQL', color: '#eda100' },
];
const [LEFT, RIGHT, ROW, BAR, TOP] = [190, 130, 26, 16, 64];
const WIDTH = 760;

interface Line {
  label: string;
  /** CPU milliseconds, in the order of PARTS. */
  parts: number[];
  perSecond: string;
}

function drawGrowth(table: string[][]): string {
  const [headings = [], ...rows] = table;
  const cell = (row: string[], heading: string) => row[headings.indexOf(heading)] ?? '';
  const groups = Map.groupBy(rows, (row) => cell(row, 'series'));
  const toLine = (row: string[], series: string): Line => ({
    label: labelOf(series, cell(row, series)),
    parts: PARTS.map(({ heading }) => Number(cell(row, heading))),
    perSecond: cell(row, 'answers per second'),
  });
  const lines = [...groups].map(([series, own]) => own.map((row) => toLine(row, series)));
  const most = Math.max(...lines.flat().map(({ parts }) => sum(parts)));
  const scale = (WIDTH - LEFT - RIGHT) / most;
  let y = TOP;
  const drawn = lines.flatMap((group) => {
    const bars = group.map((line) => {
      const bar = drawLine(line, y, scale);
      y += ROW;
      return bar;
    });
    y += ROW / 2;
    return bars;
  });
  return svg(y, [drawLegend(), ...drawn]);
}

function labelOf(series: string, value: string): string {
  if (series === 'answers in the table') return `${Number(value).toLocaleString('en')} answers`;
  const one = series === 'gateways' ? 'gateway' : 'worker process';
  return Number(value) === 1 ? `1 ${one}` : `${value} ${one}${one.endsWith('s') ? 'es' : 's'}`;
}

function drawLine({ label, parts, perSecond }: Line, y: number, scale: number): string {
  let x = LEFT;
  const bars = parts.map((part, index) => {
    const { name, color } = PARTS[index]!;
    const bar = `<rect x="${x.toFixed(1)}" y="${y}" width="${(part * scale).toFixed(1)}" height="${BAR}" fill="${color}"><title>${name}: ${part.toFixed(3)} ms</title></rect>`;
    x += part * scale;
    return bar;
  });
  const text = y + BAR - 4;
  return [
    `<text x="${LEFT - 10}" y="${text}" text-anchor="end">${label}</text>`,
    ...bars,
    `<text x="${(x + 8).toFixed(1)}" y="${text}">${sum(parts).toFixed(2)} ms · ${perSecond}/s</text>`,
  ].join('\n');
}

function drawLegend(): string {
  const items = PARTS.map(({ name, color }, index) => {
    const x = LEFT + index * 120;
    return `<rect x="${x}" y="36" width="12" height="12" fill="${color}"/><text x="${x + 18}" y="46">${name}</text>`;
  });
  return items.join('\n');
}

const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0);

function svg(height: number, parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">
<title id="title">What one answer costs: milliseconds of a processor, by part of the service</title>
<style>
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .heading { font-weight: 600; font-size: 14px; }
  .paper { fill: #ffffff; }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .paper { fill: #0d1117; } }
</style>
<rect class="paper" width="100%" height="100%"/>
<text class="heading" x="16" y="22">What one answer costs, in milliseconds of a processor, and answers per second</text>
${parts.join('\n')}
</svg>
`;
}

const result = (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results).P12;
if (!result?.measured) throw new Error('Row P12 is not measured: npm run bench -- --only P12');
writeFileSync(CHART, drawGrowth(result.table));
process.stdout.write(`Written to ${CHART}\n`);
