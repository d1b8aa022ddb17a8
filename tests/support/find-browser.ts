import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { testSettings } from './settings.ts';

export interface FoundBrowser {
  description: string;
  /** Undefined for the Chromium that comes inside its npm package and has to be unpacked first. */
  path?: string;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser that the tests use: the chosen one, else an installed one, else npm's. */
export function findBrowser(): FoundBrowser | undefined {
  const { CHROMIUM_PATH, PATH } = testSettings();
  if (CHROMIUM_PATH) return { description: CHROMIUM_PATH, path: CHROMIUM_PATH };
  const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const installed = places.find(isExecutable);
  if (installed) return { description: installed, path: installed };
  // The package carries a build for this platform only.
  if (process.platform !== 'linux' || process.arch !== 'x64' || !hasPackage()) return undefined;
  return { description: "npm's Chromium" };
}

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
