import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadOnDemand } from '#on-demand.ts';

export interface FoundBrowser {
  description: string;
  /** Undefined for npm's Chromium, which has to be loaded and unpacked first. */
  path?: string;
}

/** As much of @sparticuz/chromium as is used here. */
interface Packed {
  executablePath: () => Promise<string>;
}

export interface BrowserSettings {
  CHROMIUM_PATH?: string | undefined;
  PATH: string;
}

const CHROMIUM = { name: 'Chromium', folder: 'local/chromium', megabytes: 75 };
// The headless shell is the same engine without the browser's own windows: a third less processor time.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** A browser for tests and benchmarks: the chosen one, else an installed one, else npm's. */
export function findBrowser({ CHROMIUM_PATH, PATH }: BrowserSettings): FoundBrowser | undefined {
  if (CHROMIUM_PATH) return { description: CHROMIUM_PATH, path: CHROMIUM_PATH };
  const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const installed = places.find(isExecutable);
  if (installed) return { description: installed, path: installed };
  // The package carries a build for this platform only.
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  return { description: "npm's Chromium" };
}

/**
 * Where a browser's program is. npm's is loaded when it is first asked for, and unpacked.
 *
 * @param say hears how the loading goes
 */
export async function executableOf(
  { path }: FoundBrowser,
  say: (line: string) => void,
): Promise<string> {
  if (path) return path;
  const resolve = await loadOnDemand(CHROMIUM, say);
  // Read when the package is loaded: with it, the package unpacks the libraries that it brings.
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
  const file = pathToFileURL(resolve('@sparticuz/chromium')).href;
  const { default: packed } = (await import(file)) as { default: Packed };
  return packed.executablePath();
}

/** It needs no window, no sandbox of its own, and nothing of the network but our pages. */
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
