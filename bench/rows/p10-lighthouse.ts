import { join } from 'node:path';
import { openBrowser } from '#support/browser.ts';
import { signIn, startDemo } from '#support/demo.ts';
import { median } from '#support/figures.ts';
import { CATEGORIES, ensureLighthouse, inspect, type Report } from '#support/lighthouse.ts';
import type { Bench, Measurement, Row } from '#row.ts';

const PAGES = [
  { name: '/', path: '/', signedIn: false },
  { name: '/login', path: '/login', signedIn: false },
  { name: '/quiz, signed out', path: '/quiz', signedIn: false },
  { name: '/quiz, signed in', path: '/quiz', signedIn: true },
];

export const row: Row = {
  id: 'P10',
  title: 'Lighthouse on a phone',
  sides: { value: 'the lowest score of all pages and categories', limit: 'full marks' },
  unit: 'points',
  target: { at: 'least', ratio: 1 },
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  await ensureLighthouse(bench.say);
  const [rounds, slowedRounds] = bench.quick ? [1, 1] : [5, 3];
  const browser = await openBrowser(bench.scratch.dir, bench.say);
  const demo = await startDemo(bench).catch(async (error: unknown) => {
    await browser.context.close();
    throw error;
  });
  try {
    const results = [];
    for (const { name, path, signedIn } of bench.quick ? PAGES.slice(-1) : PAGES) {
      if (signedIn) await signIn(browser.context, demo);
      const file = join(bench.scratch.dir, 'lighthouse.json');
      const reports: Report[] = [];
      for (let round = 0; round < rounds; round += 1) {
        reports.push(await inspect(demo.url + path, browser.port, file));
        bench.say(`${name}: ${CATEGORIES.map((id) => reports.at(-1)?.scores[id]).join(', ')}`);
      }
      const slowed: Report[] = [];
      for (let round = 0; round < slowedRounds; round += 1)
        slowed.push(await inspect(demo.url + path, browser.port, file, 'devtools'));
      results.push({
        name,
        ...medianReport(reports),
        painted: median(slowed.map(({ lcp }) => lcp)),
      });
    }
    return {
      value: Math.min(...results.flatMap(({ scores }) => scores)),
      limit: 100,
      notes: [
        `Lighthouse's phone profile: a quarter of this CPU's speed, 1.6 Mbit/s, 150 ms; median of ${rounds}`,
        `LCP is simulated, as for the score, and counts scripts that arrive before it; "when slowed" is that of a browser that is really slowed down, median of ${slowedRounds}`,
        'Other processes on the host increase the blocked time, and so lower the performance score',
        ...results.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`)),
      ],
      table: [
        ['page', ...CATEGORIES, 'LCP, ms', 'LCP when slowed', 'blocked, ms', 'shift', 'kB'],
        ...results.map(({ name, scores, lcp, painted, tbt, cls, bytes }) => [
          name,
          ...scores.map(String),
          lcp.toFixed(0),
          painted.toFixed(0),
          tbt.toFixed(0),
          cls.toFixed(3),
          (bytes / 1000).toFixed(0),
        ]),
      ],
    };
  } finally {
    await demo.stop();
    await browser.context.close();
  }
}

function medianReport(reports: Report[]) {
  const of = (read: (report: Report) => number) => median(reports.map(read));
  return {
    scores: CATEGORIES.map((id) => of(({ scores }) => scores[id])),
    lcp: of(({ lcp }) => lcp),
    tbt: of(({ tbt }) => tbt),
    cls: of(({ cls }) => cls),
    bytes: of(({ bytes }) => bytes),
    faults: reports.at(-1)?.faults ?? [],
  };
}
