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

/** The result of one run for a page. */
export interface Report {
  /** 0 to 100. */
  scores: Record<Category, number>;
  /** Milliseconds: largest contentful paint, and total blocking time. */
  lcp: number;
  tbt: number;
  /** Cumulative layout shift. */
  cls: number;
  /** The bytes transferred. */
  bytes: number;
  /** Audits without full marks. */
  faults: string[];
}

/**
 * Installs Lighthouse from its lockfile, unless it is installed.
 *
 * @throws NotMeasured when the install fails
 */
export async function ensureLighthouse(say: (line: string) => void): Promise<void> {
  await loadOnDemand(LIGHTHOUSE, say).catch((error: Error) => {
    throw new NotMeasured(error.message);
  });
}

/**
 * Runs Lighthouse on a page as on a mid-range phone, with its default settings.
 *
 * @param port of the browser's debugging protocol; keeps the browser's storage, and so the sign-in
 * @param throttling `simulate` loads the page quickly and computes how it would load on the phone; `devtools` slows the
 *   browser down, which takes longer
 */
export async function inspect(
  url: string,
  port: number,
  outputFile: string,
  throttling: 'simulate' | 'devtools' = 'simulate',
): Promise<Report> {
  const options = [
    `--throttling-method=${throttling}`,
    `--port=${port}`,
    '--output=json',
    `--output-path=${outputFile}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    '--quiet',
    // Otherwise it asks whether it may report its own errors.
    '--no-enable-error-reporting',
  ];
  // Sometimes it misses the start of the page, and says "Please run Lighthouse again".
  for (let tries = 2; ; tries -= 1) {
    const code = await run(process.execPath, [PROGRAM, url, ...options], FOLDER);
    const result = JSON.parse(await readFile(outputFile, 'utf8')) as LighthouseResult;
    if (code === 0 && !result.runtimeError) return readReport(result);
    if (tries > 1) continue;
    const { message = 'it ended with an error' } = result.runtimeError ?? {};
    throw new Error(`Lighthouse at ${url}: ${message}`);
  }
}

/** The parts of its report that are used here. */
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
