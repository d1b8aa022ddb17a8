import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { BROWSER_FLAGS, executableOf, findBrowser } from '@proveklar/local/find-browser.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import { chromium, type BrowserContext } from 'playwright-core';
import { NotMeasured } from '#not-measured.ts';

/** A browser that others may steer too, and that remembers who signed in as long as it runs. */
export interface OpenBrowser {
  port: number;
  context: BrowserContext;
}

/** @throws NotMeasured where there is none */
export async function openBrowser(dir: string, say: (line: string) => void): Promise<OpenBrowser> {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  const found = findBrowser({ CHROMIUM_PATH, PATH });
  if (!found) throw new NotMeasured('Chromium is missing (Debian: apt-get install chromium)');
  const [port = 0] = await freePorts(1);
  const context = await chromium.launchPersistentContext(await mkdtemp(join(dir, 'browser-')), {
    executablePath: await executableOf(found, say),
    args: [...BROWSER_FLAGS, `--remote-debugging-port=${port}`],
    headless: true,
    locale: 'nb-NO',
  });
  return { port, context };
}
