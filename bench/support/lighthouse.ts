import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadOnDemand } from '@proveklar/local/on-demand.ts';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { NotMeasured } from '#not-measured.ts';

const LIGHTHOUSE = { name: 'Lighthouse', folder: 'bench/lighthouse', megabytes: 180 };
const FOLDER = join(PROJECT_DIR, LIGHTHOUSE.folder);
const PROGRAM = join(FOLDER, 'node_modules/lighthouse/cli/index.js');

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof CATEGORIES)[number];

/** What one run says of a page. */
export interface Report {
  /** 0 to 100. */
  scores: Record<Category, number>;
  /** Milliseconds until the largest thing was painted, and in which the page answered to nothing. */
  lcp: number;
  tbt: number;
  /** How far things moved; 0 is not at all. */
  cls: number;
  /** All that was transferred. */
  bytes: number;
  /** What did not get full marks. */
  faults: string[];
}

/**
 * Installs Lighthouse where it is not there yet, as its lockfile says.
 *
 * @throws NotMeasured where it cannot be had
 */
export async function ensureLighthouse(say: (line: string) => void): Promise<void> {
  await loadOnDemand(LIGHTHOUSE, say).catch((error: Error) => {
    throw new NotMeasured(error.message);
  });
}

/**
 * Looks at a page as on a telephone of the middle class, by Lighthouse's own settings.
 *
 * @param port where the browser listens; what it remembers of who is signed in is left alone
 */
export async function inspect(url: string, port: number, outputFile: string): Promise<Report> {
  const options = [
    `--port=${port}`,
    '--output=json',
    `--output-path=${outputFile}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    '--quiet',
    // Asks whether it may report its own errors to its makers.
    '--no-enable-error-reporting',
  ];
  // Now and then it misses the beginning of the page, and says "Please run Lighthouse again".
  for (let tries = 2; ; tries -= 1) {
    const code = await run(process.execPath, [PROGRAM, url, ...options], FOLDER);
    const result = JSON.parse(await readFile(outputFile, 'utf8')) as LighthouseResult;
    if (code === 0 && !result.runtimeError) return readReport(result);
    if (tries > 1) continue;
    const { message = 'it ended with an error' } = result.runtimeError ?? {};
    throw new Error(`Lighthouse at ${url}: ${message}`);
  }
}

/** As much of its report as is read here. */
interface LighthouseResult {
  categories: Record<
    Category,
    { score: number; auditRefs: readonly { id: string; weight: number }[] }
  >;
  audits: Record<string, { score: number | null; numericValue?: number; displayValue?: string }>;
  runtimeError?: { message: string };
}

function readReport({ categories, audits }: LighthouseResult): Report {
  const figure = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const scores = CATEGORIES.map((id) => [id, Math.round(categories[id].score * 100)] as const);
  const faults = CATEGORIES.flatMap((id) =>
    categories[id].auditRefs
      .filter((audit) => audit.weight > 0 && (audits[audit.id]?.score ?? 1) < 0.9)
      .map((audit) => `${audit.id} ${audits[audit.id]?.displayValue ?? ''}`.trim()),
  );
  return {
    scores: Object.fromEntries(scores) as Record<Category, number>,
    lcp: figure('largest-contentful-paint'),
    tbt: figure('total-blocking-time'),
    cls: figure('cumulative-layout-shift'),
    bytes: figure('total-byte-weight'),
    faults,
  };
}

async function run(program: string, args: string[], cwd: string): Promise<number | null> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
