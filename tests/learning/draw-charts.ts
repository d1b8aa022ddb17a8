import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calibrationOf, type Look } from './calibration.ts';

// Draws the charts of docs/learning.md from what `npm run test:learning` has written, one file for each seed:
// `node tests/learning/draw-charts.ts`. Prints their figures as Markdown. Plain SVG, readable in light and dark.
const RESULTS = join(import.meta.dirname, '../../.local/learning');
const PICTURES = join(import.meta.dirname, '../../docs/pictures');

interface Calibration {
  seed: number;
  learners: number;
  days: number;
  looks: Look[];
}

interface Reached {
  answers: number;
  reached: boolean;
}

interface Comparison {
  seed: number;
  today: Reached[];
  random: Reached[];
}

const COLORS = ['#2a78d6', '#1baf7a', '#eda100', '#d64550'];
/** The square of a chart. */
const [LEFT, TOP, SIZE] = [64, 60, 320];
const WIDTH = LEFT + SIZE + 176;
const HEIGHT = TOP + SIZE + 56;

function readAll<T extends { seed: number }>(name: string): T[] {
  return globSync(join(RESULTS, `${name}-*.json`))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as T)
    .toSorted((a, b) => a.seed - b.seed);
}

const x = (part: number) => (LEFT + part * SIZE).toFixed(1);
const y = (part: number) => (TOP + (1 - part) * SIZE).toFixed(1);

function chart(title: string, axes: { x: string; y: string; ticks: string[] }, parts: string[]) {
  const grid = axes.ticks.map((tick, index) => {
    const part = index / (axes.ticks.length - 1);
    return `<path class="grid" d="M${x(part)} ${y(0)}V${y(1)}"/><text x="${x(part)}" y="${TOP + SIZE + 18}" text-anchor="middle">${tick}</text>`;
  });
  const shares = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (part) =>
      `<path class="grid" d="M${x(0)} ${y(part)}H${x(1)}"/><text x="${LEFT - 8}" y="${Number(y(part)) + 4}" text-anchor="end">${Math.round(part * 100)} %</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">
<title id="title">${title}</title>
<style>
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .heading { font-weight: 600; font-size: 14px; }
  .paper { fill: #ffffff; }
  .grid { stroke: #8c959f; stroke-opacity: 0.3; }
  .band { fill: #8c959f; fill-opacity: 0.2; }
  .line { fill: none; stroke-width: 2; }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .paper { fill: #0d1117; } }
</style>
<rect class="paper" width="100%" height="100%"/>
<text class="heading" x="16" y="22">${title}</text>
<text x="16" y="40">${axes.y}</text>
${[...shares, ...grid].join('\n')}
<text x="${LEFT + SIZE / 2}" y="${TOP + SIZE + 40}" text-anchor="middle">${axes.x}</text>
${parts.join('\n')}
</svg>
`;
}

const legend = (labels: readonly string[]) =>
  labels.map((label, index) => {
    const row = TOP + 8 + index * 22;
    return `<rect x="${LEFT + SIZE + 20}" y="${row}" width="12" height="12" fill="${COLORS[index]!}"/><text x="${LEFT + SIZE + 38}" y="${row + 10}">${label}</text>`;
  });

function drawCalibration(runs: readonly Calibration[]): string {
  const points = runs.flatMap(({ looks }, index) =>
    calibrationOf(looks).tenths.map(
      ({ said, truth, looks: count }) =>
        `<circle cx="${x(said)}" cy="${y(truth)}" r="4" fill="${COLORS[index]!}"><title>said ${said}, true ${truth}, ${count} looks</title></circle>`,
    ),
  );
  const band = `<path class="band" d="M${x(0)} ${y(0)}V${y(0.05)}L${x(0.95)} ${y(1)}H${x(1)}V${y(0.95)}L${x(0.05)} ${y(0)}Z"/>`;
  return chart(
    'Readiness and the truth, by tenths of readiness',
    {
      x: 'readiness (the grey band: within 5 percentage points)',
      y: 'simulated exams passed',
      ticks: ['0 %', '20 %', '40 %', '60 %', '80 %', '100 %'],
    },
    [band, ...points, ...legend(runs.map(({ seed }) => `seed ${seed}`))],
  );
}

const MOST_ANSWERS = 500;

function drawComparison(runs: readonly Comparison[]): string {
  const line = (all: readonly Reached[], color: string) => {
    const sorted = all.filter(({ reached }) => reached).map(({ answers }) => answers);
    const steps = Array.from({ length: 51 }, (_, index) => {
      const answers = (index / 50) * MOST_ANSWERS;
      const share = sorted.filter((each) => each <= answers).length / all.length;
      return `${index === 0 ? 'M' : 'L'}${x(index / 50)} ${y(share)}`;
    });
    return `<path class="line" stroke="${color}" d="${steps.join('')}"/>`;
  };
  return chart(
    'Learners who would pass with 80 %, by answers given',
    {
      x: 'answers',
      y: 'learners who began below',
      ticks: ['0', '100', '200', '300', '400', '500'],
    },
    [
      line(
        runs.flatMap(({ today }) => today),
        COLORS[0]!,
      ),
      line(
        runs.flatMap(({ random }) => random),
        COLORS[2]!,
      ),
      `<rect x="${LEFT + SIZE + 20}" y="${TOP + 8}" width="12" height="12" fill="${COLORS[0]!}"/><text x="${LEFT + SIZE + 38}" y="${TOP + 18}">today's practice</text>`,
      `<rect x="${LEFT + SIZE + 20}" y="${TOP + 30}" width="12" height="12" fill="${COLORS[2]!}"/><text x="${LEFT + SIZE + 38}" y="${TOP + 40}">random drills</text>`,
    ],
  );
}

const percent = (part: number) => (100 * part).toFixed(1);
const signed = (part: number) => `${part < 0 ? '−' : '+'}${percent(Math.abs(part))}`;

/** By tenths: how many points too high readiness was, and in brackets how many learners were asked. */
function printCalibration(runs: readonly Calibration[]): void {
  const all = runs.map(({ looks }) => calibrationOf(looks));
  const row = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
  row(['Readiness', ...runs.map(({ seed, learners }) => `seed ${seed}, ${learners} learners`)]);
  row(['---', ...runs.map(() => '---')]);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const found = all.map(({ tenths }) => tenths.find(({ from }) => from === tenth / 10));
    row([
      `${tenth * 10}–${tenth * 10 + 10} %`,
      ...found.map((one) => (one ? `${signed(one.error)} (${one.learners})` : 'none')),
    ]);
  }
  row(['expected calibration error', ...all.map(({ error }) => percent(error))]);
  row(['mean error', ...all.map(({ bias }) => signed(bias))]);
  row(['truth within the range', ...all.map(({ covered }) => `${percent(covered)} %`)]);
}

/** The same for each look separately: the error, and the tenths of at least 100 learners beyond 5 points. */
function printLooks({ seed, looks }: Calibration): void {
  for (const [day, own] of Map.groupBy(looks, (look) => look.day)) {
    const { error, tenths } = calibrationOf(own);
    const off = tenths
      .filter((tenth) => tenth.learners >= 100 && Math.abs(tenth.error) > 0.05)
      .map((tenth) => `${tenth.from * 100} %: ${signed(tenth.error)} (${tenth.learners})`);
    console.log(`seed ${seed}, day ${day}: ${percent(error)}; ${off.join(', ') || 'none beyond'}`);
  }
}

function printComparison({ seed, today, random }: Comparison): void {
  const median = (all: readonly Reached[]) =>
    all.map(({ answers, reached }) => (reached ? answers : Infinity)).toSorted((a, b) => a - b)[
      Math.floor(all.length / 2)
    ]!;
  const count = (all: readonly Reached[]) => all.filter(({ reached }) => reached).length;
  console.log(
    `| ${seed} | ${today.length} | ${median(today)} | ${median(random)} | ${percent(1 - median(today) / median(random))} % | ${count(today)} | ${count(random)} |`,
  );
}

const calibrations = readAll<Calibration>('readiness');
const comparisons = readAll<Comparison>('todays-practice');
printCalibration(calibrations);
for (const run of calibrations) printLooks(run);
console.log('');
for (const run of comparisons) printComparison(run);
writeFileSync(join(PICTURES, 'readiness.svg'), drawCalibration(calibrations));
writeFileSync(join(PICTURES, 'todays-practice.svg'), drawComparison(comparisons));
