import { chromium, type Browser } from 'playwright-core';
import { findBrowser } from './find-browser.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts a browser without a window.
 *
 * @throws Error that says how to get one: a missing browser is a failure, never a skipped test
 */
export async function launchBrowser(): Promise<Browser> {
  const found = findBrowser();
  if (!found) throw noBrowser('There is no Chromium or Chrome on this machine.');
  try {
    const executablePath = found.path ?? (await unpackedChromium());
    return await chromium.launch({ executablePath, args: FLAGS, headless: true });
  } catch (error) {
    throw noBrowser(`${found.description} does not start: ${String(error)}`);
  }
}

async function unpackedChromium(): Promise<string> {
  // Read when the package is loaded: with it, the package unpacks the libraries that it brings.
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}

function noBrowser(problem: string): Error {
  return new Error(
    `${problem}\nThe browser tests need one. Install Chromium (Debian: apt-get install chromium) or ` +
      'Chrome,\nor set CHROMIUM_PATH to one that you have.',
  );
}
