import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { BROWSER_FLAGS, executableOf, findBrowser } from '@proveklar/local/find-browser.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import { chromium, type BrowserContext } from 'playwright-core';
import { NotMeasured } from '#not-measured.ts';

/** A browser that other programs can control too, and that keeps its sign-in while it runs. */
export interface OpenBrowser {
  port: number;
  context: BrowserContext;
}

/** @throws NotMeasured when there is no browser */
export async function openBrowser(dir: string, say: (line: string) => void): Promise<OpenBrowser> {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  const browser = findBrowser({ CHROMIUM_PATH, PATH });
  if (!browser) throw new NotMeasured('Chromium is missing (Debian: apt-get install chromium)');
  const [port = 0] = await freePorts(1);
  const context = await chromium.launchPersistentContext(await mkdtemp(join(dir, 'browser-')), {
    executablePath: await executableOf(browser, say),
    args: [...BROWSER_FLAGS, `--remote-debugging-port=${port}`],
    headless: true,
    locale: 'nb-NO',
  });
  return { port, context };
}
