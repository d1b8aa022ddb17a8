import { chromium, type Browser } from 'playwright-core';
import { BROWSER_FLAGS, executableOf, findBrowser } from '@proveklar/local/find-browser.ts';
import { timed } from './profile.ts';
import { testSettings } from './settings.ts';

/**
 * Starts a browser without a window.
 *
 * @throws Error that says how to get one: a missing browser is a failure, never a skipped test
 */
export async function launchBrowser(): Promise<Browser> {
  const found = findBrowser(testSettings());
  if (!found) throw noBrowser('There is no Chromium or Chrome on this machine.');
  try {
    const executablePath = await executableOf(found);
    return await timed('browser', () =>
      chromium.launch({ executablePath, args: BROWSER_FLAGS, headless: true }),
    );
  } catch (error) {
    throw noBrowser(`${found.description} does not start: ${String(error)}`);
  }
}

function noBrowser(problem: string): Error {
  return new Error(
    `${problem}\nThe browser tests need one. Install Chromium (Debian: apt-get install chromium) or ` +
      'Chrome,\nor set CHROMIUM_PATH to one that you have.',
  );
}
