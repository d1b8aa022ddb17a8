import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

export interface FoundBrowser {
  description: string;
  /** Undefined for the Chromium that comes inside its npm package and has to be unpacked first. */
  path?: string;
}

export interface BrowserSettings {
  CHROMIUM_PATH?: string | undefined;
  PATH: string;
}

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
  if (process.platform !== 'linux' || process.arch !== 'x64' || !hasPackage()) return undefined;
  return { description: "npm's Chromium" };
}

/** Where a browser's program is. npm's is unpacked first. */
export async function executableOf({ path }: FoundBrowser): Promise<string> {
  if (path) return path;
  // Read when the package is loaded: with it, the package unpacks the libraries that it brings.
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
  const { default: packed } = await import('@sparticuz/chromium');
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

function hasPackage(): boolean {
  try {
    createRequire(import.meta.url).resolve('@sparticuz/chromium');
    return true;
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
