import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
} from 'playwright-core';
import { beforeAll } from 'vitest';
import { BROWSER_FLAGS, findBrowser } from '@proveklar/local/find-browser.ts';
import { WAIT_TIMEOUT_MS } from './hang.ts';
import { timed } from './profile.ts';
import { testSettings } from './settings.ts';
import { shared } from './shared.ts';

/**
 * Starts a browser without a window.
 *
 * @throws Error that says how to get one: a missing browser is a failure, never a skipped test
 */
async function launchBrowser(): Promise<Browser> {
  const found = findBrowser(testSettings());
  if (!found) throw noBrowser('There is no Chromium or Chrome on this machine.');
  try {
    // The run loads it once, where it has to be loaded, and says so.
    const { path: executablePath } = await shared<{ path: string }>('browser');
    return await timed('browser', () =>
      chromium.launch({ executablePath, args: BROWSER_FLAGS, headless: true }),
    );
  } catch (error) {
    throw noBrowser(`${found.description} does not start: ${String(error)}`);
  }
}

let launched: Promise<Browser> | undefined;

/**
 * The browser of this worker, in which every test opens profiles of its own. It ends with the worker.
 * Use `current` inside tests and hooks only.
 */
export function useBrowser(): { readonly current: Browser } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launched;
    if (!browser?.isConnected()) browser = await (launched = launchBrowser());
  });
  return {
    get current() {
      if (!browser) throw new Error('The browser is there in tests and hooks only.');
      return browser;
    },
  };
}

/** Opens a browser profile whose pages wait as long for each action as any test does. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  return context;
}

function noBrowser(problem: string): Error {
  return new Error(
    `${problem}\nThe browser tests need one. Install Chromium (Debian: apt-get install chromium-headless-shell) or ` +
      'Chrome,\nor set CHROMIUM_PATH to one that you have.',
  );
}
