import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured, Results } from './results.ts';

// Draws the charts of docs/performance.md from the results: `node bench/draw-charts.ts`. Plain SVG, readable in light
// and dark mode. A row that was measured with --quick, or not at all, keeps the chart that it has.
const RESULTS = join(import.meta.dirname, 'results/latest.json');
const CHARTS = join(import.meta.dirname, '../docs/pictures/performance');

/** What is beside each other: ours, and what it is compared with. */
interface Line {
  label: string;
  /** In the row's unit. One figure, or those of the parts of the service. */
  ours: number[];
  /** The other side; undefined where it is a fixed limit. */
  other?: number;
  /** The most or the least that meets the target. */
  target?: number;
  /** After the figure. */
  note?: string;
}

const PARTS = [
  { heading: 'gateways, ms', name: 'gateways', color: '#2a78d6' },
  { heading: 'workers, ms', name: 'workers', color: '#1baf7a' },
  { heading: 'Redis, ms', name: 'Redis', color: '#d64550' },
  { heading: 'PostgreSQL, ms', name: 'PostgreSQL', color: '#eda100' },
];
const OURS = PARTS[0]!.color;
const OTHER = '#8c959f';

type Cell = (heading: string) => string;

/** The lines of a row; by default the two sides as the row reports them. */
const LINES: Record<string, (result: Measured) => Line[]> = {
  P2: compared('percentile', 'gateway, ms', 'pgbench, ms', (cell) =>
    Number(cell('target').replace('≤ ', '')),
  ),
  P3: compared('quiz', 'large, ms', 'small, ms'),
  P5: limited('process', 'growth, MB'),
  P6: compared('queue', 'counted, per second', 'accepted, per second'),
  P7: (result) =>
    compared(
      'list',
      'ours, ms',
      'count(*), ms',
    )({
      ...result,
      // Other orders, which are not part of the target, are named before a colon.
      table: result.table.filter(
        ([list, , page], index) => index === 0 || (page === 'first look' && !list?.includes(':')),
      ),
    }),
  P8: (result) =>
    linesOf(result, (cell) => ({
      label: `${cell('load')}: ${cell('path')}`,
      ours: [Number(cell('p95, ms'))],
      target: Number(cell('limit, ms')),
    })),
  P9: limited('tap on', 'p95'),
  P10: limited('page', 'performance'),
  P12: (result) =>
    linesOf(result, (cell) => ({
      label: growthLabel(cell('series'), cell(cell('series'))),
      ours: PARTS.map(({ heading }) => Number(cell(heading))),
      note: ` · ${cell('answers per second')}/s`,
    })),
  P13: limited('flood', 'slowest of a round, ms'),
  P14: (result) => {
    const { limit, target } = result;
    return linesOf(result, (cell) => ({
      label: cell('phase'),
      ours: [Number(cell('p99, ms'))],
      target: limit * target,
    }));
  },
  P15: compared('', 'with the model', 'version before'),
  P16: compared('table', 'MB after', 'MB written again'),
};

function linesOf({ table }: Measured, toLine: (cell: Cell) => Line): Line[] {
  const [headings = [], ...rows] = table;
  return rows.map((row) => toLine((heading) => row[headings.indexOf(heading)] ?? ''));
}

function compared(label: string, ours: string, other: string, targetOf?: (cell: Cell) => number) {
  return (result: Measured): Line[] =>
    linesOf(result, (cell) => ({
      label: cell(label),
      ours: [Number(cell(ours))],
      // An empty cell: there is no other side.
      ...(cell(other) !== '' && {
        other: Number(cell(other)),
        target: Number(cell(other)) * (targetOf?.(cell) ?? result.target),
      }),
    }));
}

function limited(label: string, ours: string) {
  return (result: Measured): Line[] =>
    linesOf(result, (cell) => ({
      label: cell(label),
      ours: [Number(cell(ours))],
      target: result.limit * result.target,
    }));
}

const bothSides = ({ value, limit, target }: Measured): Line[] => [
  { label: '', ours: [value], other: limit, target: limit * target },
];

function growthLabel(series: string, value: string): string {
  if (series === 'answers in the table') return `${Number(value).toLocaleString('en')} answers`;
  const one = series === 'gateways' ? 'gateway' : 'worker process';
  return Number(value) === 1 ? `1 ${one}` : `${value} ${one}${one.endsWith('s') ? 'es' : 's'}`;
}

const [WIDTH, LEFT, RIGHT, TOP, BAR, GAP] = [760, 310, 140, 64, 14, 10];
/** Where the figures stand, so that no bar or mark crosses them. */
const FIGURES = WIDTH - RIGHT + 14;
/** Of a label, so that it fits. */
const MAX_LABEL_LENGTH = 42;

function draw(result: Measured, lines: Line[]): string {
  const most = Math.max(
    ...lines.flatMap(({ ours, other = 0, target = 0 }) => [sum(ours), other, target]),
  );
  const scale = (WIDTH - LEFT - RIGHT) / most;
  let y = TOP;
  const drawn = lines.map((line) => {
    const top = y;
    y += (line.other === undefined ? BAR : 2 * BAR) + GAP;
    return drawLine(line, { top, scale, unit: result.unit });
  });
  return svg(result, y, [drawLegend(lines), ...drawn]);
}

function drawLine(
  { label, ours, other, target, note = '' }: Line,
  { top, scale, unit }: { top: number; scale: number; unit: string },
): string {
  let x = LEFT;
  const bars = ours.map((value, index) => {
    const { name, color } = PARTS[index]!;
    const title = ours.length > 1 ? `<title>${name}: ${figure(value)} ${unit}</title>` : '';
    const bar = `<rect x="${x.toFixed(1)}" y="${top}" width="${(value * scale).toFixed(1)}" height="${BAR}" fill="${color}">${title}</rect>`;
    x += value * scale;
    return bar;
  });
  const bottom = top + (other === undefined ? BAR : 2 * BAR);
  const parts = [
    text(LEFT - 10, top + BAR - 3, shorten(label), 'text-anchor="end"'),
    ...bars,
    text(FIGURES, top + BAR - 3, `${figure(sum(ours))}${note}`),
  ];
  if (other !== undefined) {
    const width = (other * scale).toFixed(1);
    parts.push(
      `<rect x="${LEFT}" y="${top + BAR}" width="${width}" height="${BAR}" fill="${OTHER}"/>`,
      text(FIGURES, bottom - 3, figure(other), 'class="other"'),
    );
  }
  if (target !== undefined) {
    const at = (LEFT + target * scale).toFixed(1);
    parts.push(`<path class="target" d="M${at} ${top - 3}V${bottom + 3}"/>`);
  }
  return parts.join('\n');
}

function drawLegend(lines: Line[]): string {
  const isStacked = lines.some(({ ours }) => ours.length > 1);
  const items: { name: string; color: string }[] = isStacked
    ? [...PARTS]
    : [{ name: 'Prøveklar', color: OURS }];
  if (lines.some(({ other }) => other !== undefined))
    items.push({ name: 'what it is compared with', color: OTHER });
  const drawn = items.map(({ name, color }, index) => {
    const x = 16 + index * 120;
    return `<rect x="${x}" y="36" width="12" height="12" fill="${color}"/>${text(x + 18, 46, name)}`;
  });
  if (lines.some(({ target }) => target !== undefined)) {
    const x = 16 + items.length * 120 + (items.length > 1 ? 80 : 0);
    drawn.push(`<path class="target" d="M${x} 34V50"/>${text(x + 8, 46, 'target')}`);
  }
  return drawn.join('\n');
}

const sum = (figures: number[]) => figures.reduce((total, one) => total + one, 0);

const figure = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));

const shorten = (label: string) =>
  label.length > MAX_LABEL_LENGTH ? `${label.slice(0, MAX_LABEL_LENGTH - 1)}…` : label;

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${escaped}</text>`;
}

function svg({ title, unit, date }: Measured, height: number, parts: string[]): string {
  const inUnit = title.includes(unit) ? title : `${title} (${unit})`;
  const heading = `${inUnit}, ${date.slice(0, 10)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">
<title id="title">${heading}</title>
<style>
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .heading { font-weight: 600; font-size: 14px; }
  .other { fill: #59636e; }
  .paper { fill: #ffffff; }
  .target { stroke: #1f2328; stroke-width: 2; stroke-dasharray: 3 2; fill: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .other { fill: #9198a1; } .paper { fill: #0d1117; } .target { stroke: #e6edf3; }
  }
</style>
<rect class="paper" width="100%" height="100%"/>
${text(16, 22, heading, 'class="heading"')}
${parts.join('\n')}
</svg>
`;
}

const results = JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;
mkdirSync(CHARTS, { recursive: true });
for (const [id, result] of Object.entries(results)) {
  if (!result.measured || result.quick) continue;
  const lines = (LINES[id] ?? bothSides)(result);
  writeFileSync(join(CHARTS, `${id.toLowerCase()}.svg`), draw(result, lines));
  process.stdout.write(`Drawn: ${id}\n`);
}
