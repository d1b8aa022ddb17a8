import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { beforeAll } from 'vitest';
import { BROWSER_FLAGS, findBrowser } from '@proveklar/local/find-browser.ts';
import { WAIT_TIMEOUT_MS } from './hang.ts';
import { timed } from './profile.ts';
import { testSettings } from './settings.ts';
import { shared } from './shared.ts';

/**
 * Starts a headless browser.
 *
 * @throws Error that says how to get one: a missing browser is a failure, never a skipped test
 */
async function launchBrowser(): Promise<Browser> {
  const found = findBrowser(testSettings());
  if (!found) throw noBrowser('There is no Chromium or Chrome on this machine.');
  try {
    // Where a browser has to be downloaded, the run does it once, and says so.
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
 * The browser of this test worker. Each test opens profiles of its own in it. It ends with the worker.
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
      if (!browser) throw new Error('Use the browser inside tests and hooks only.');
      return browser;
    },
  };
}

/**
 * Opens a browser profile, with the tests' timeout for each action. Closing it first gives up the responses that a
 * route of a test still waits for: a page may be reading again when its test is done.
 */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  const close = context.close.bind(context);
  context.close = async (...given) => {
    const routed = [context, ...context.pages()];
    // One that is closed, or whose browser crashed, has no routes any more.
    const giveUp = (each: BrowserContext | Page) =>
      each.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {});
    await Promise.all(routed.map(giveUp));
    await close(...given);
  };
  return context;
}

function noBrowser(problem: string): Error {
  return new Error(
    `${problem}\nThe browser tests need one. Install Chromium (Debian: apt-get install chromium-headless-shell) or ` +
      'Chrome,\nor set CHROMIUM_PATH to one that you have.',
  );
}

/**
 * Lets the page read changed JSON from now on; a second call replaces the change. It waits for requests that
 * the change before has begun to answer: a removed route would be answered twice.
 */
export async function changeResponses(
  page: Page,
  url: string,
  change: (real: object) => object,
): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' });
  await page.route(url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as object) });
  });
}
