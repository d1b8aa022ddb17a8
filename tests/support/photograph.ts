import { writeFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { testSettings } from './settings.ts';

const PICTURES = new URL('../../docs/pictures/', import.meta.url);
/** Of WebP: text stays sharp, and a picture has 40 to 100 kB. */
const QUALITY = 75;
/** In pixels: sharp on dense screens, where a page of GitHub shows 830 of them. */
const WIDTH = 1_500;
/** The folder of the pictures that the landing page shows. */
export const LANDING = new URL('../../frontend/src/features/landing/', import.meta.url);
type ColorScheme = 'light' | 'dark';

/** The browser profile of a picture: the same on every machine. */
export function pictureProfile(width: number, height: number) {
  return {
    viewport: { width, height },
    timezoneId: 'Europe/Oslo',
    reducedMotion: 'reduce',
  } satisfies BrowserContextOptions;
}

/**
 * Takes the pictures `<name>-<scheme>.webp` of what a page shows, for `docs/pictures` by default. Only `npm run screenshots`
 * saves them; every run proves that they can be taken.
 */
export async function photograph(
  page: Page,
  name: string,
  schemes: readonly ColorScheme[] = ['light', 'dark'],
  to: { folder: URL; pixels: number } = { folder: PICTURES, pixels: WIDTH },
): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const scale = to.pixels / width;
  const y = await page.evaluate<number>('window.scrollY');
  const clip = { x: 0, y, width, height, scale };
  const session = await page.context().newCDPSession(page);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate('document.fonts.ready.then(() => {})');
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: QUALITY,
      clip,
    });
    const picture = Buffer.from(data, 'base64');
    // An empty page has less.
    expect(picture.length).toBeGreaterThan(10_000);
    if (testSettings().SCREENSHOTS !== '1') continue;
    await writeFile(new URL(`${name}-${colorScheme}.webp`, to.folder), picture);
  }
  await session.detach();
}
