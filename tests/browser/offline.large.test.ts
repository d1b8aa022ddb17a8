import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { openContext, useBrowser } from '#support/browser.ts';
import { startCuttableProxy } from '#support/cuttable-proxy.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
let context: BrowserContext;
const browser = useBrowser();
afterEach(() => context.close());

/** A page with an active service worker, as on a second visit. The script runs before the page's own. */
async function visit(
  locale: string,
  { path = '/', script = '', url = stack.current.url } = {},
): Promise<Page> {
  context = await openContext(browser.current, { locale, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.addInitScript(script);
  await page.goto(url + path);
  await page.waitForFunction('navigator.serviceWorker.ready.then(() => true)');
  return page;
}

/** The paths in all caches of this site. */
const keptPaths = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname).toSorted();
  })()`);

const LANGUAGES = [
  { locale: 'nb-NO', title: 'Du er uten nett', privacy: 'Personvern' },
  { locale: 'en-GB', title: 'You are offline', privacy: 'Privacy' },
];

describe.each(LANGUAGES)('offline ($locale)', ({ locale, title, privacy }) => {
  test('a page says that it is offline, and reloads once the network is back', async () => {
    const page = await visit(locale);
    await context.setOffline(true);
    await page.goto(`${stack.current.url}/personvern`);
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.getByRole('heading').count()).toBe(1);
    expect(await page.title()).toBe(`${title} – Prøveklar`);
    expect(new URL(page.url()).pathname).toBe('/personvern');
    expect(await findingsOf(page)).toEqual([]);

    // The test loads no other page while it is offline: with an emulated offline mode, the browser may tell a page
    // between two loads that it is online.
    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: privacy }).waitFor();
  });
});

test.each([
  {
    locale: 'nb-NO',
    title: 'Vi får ikke kontakt med Prøveklar',
    retry: 'Prøv igjen',
    privacy: 'Personvern',
  },
  {
    locale: 'en-GB',
    title: 'We cannot reach Prøveklar',
    retry: 'Try again',
    privacy: 'Privacy',
  },
])(
  'a page says that the service does not answer, and reloads once it does ($locale)',
  async ({ locale, title, retry, privacy }) => {
    const proxy = await startCuttableProxy(stack.current.url);
    onTestFinished(() => proxy.close());
    const page = await visit(locale, { url: proxy.url });
    proxy.cut();
    await page.goto(`${proxy.url}/personvern`);
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.getByRole('heading').count()).toBe(1);
    expect(await page.title()).toBe(`${title} – Prøveklar`);
    expect(await findingsOf(page)).toEqual([]);
    // Waits for the load: the heading is there before, too.
    const loaded = page.waitForEvent('load');
    await page.getByRole('link', { name: retry }).click();
    await loaded;
    await page.getByRole('heading', { name: title }).waitFor();
    proxy.restore();
    await page.getByRole('heading', { level: 1, name: privacy }).waitFor();
  },
);

test('a chosen language and colour scheme hold offline too', async () => {
  const page = await visit('nb-NO');
  await context.addCookies([
    { name: 'i18next', value: 'en', url: stack.current.url },
    { name: 'colour-scheme', value: 'dark', url: stack.current.url },
  ]);
  await context.setOffline(true);
  await page.reload();
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  await page.getByText('your answers are stored in this browser').waitFor();
  const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
  expect(background).toBe('rgb(11, 23, 32)');
  expect(await findingsOf(page)).toEqual([]);
});

test('only the offline page is cached, whatever was visited', async () => {
  const page = await visit('nb-NO', { path: '/login' });
  await page.locator('input[name="email"]').fill('learner@example.no');
  await page.locator('input[name="password"]').fill('proveklar-demo');
  await page.locator('main form button[type="submit"]').click();
  await page.getByRole('tablist').waitFor();
  // A navigation that the service worker handles, with all the page's API calls.
  await page.reload();
  await page.getByRole('tablist').waitFor();
  expect(await keptPaths(page)).toEqual(['/offline.html', '/offline.js']);

  await context.setOffline(true);
  const answer = await page.evaluate(
    `fetch('/api/v1/config').then(() => 'answered', () => 'failed')`,
  );
  expect(answer).toBe('failed');
});

test('a browser that is never idle keeps the offline page, too', async () => {
  const page = await visit('nb-NO', {
    script: `window.requestIdleCallback = (callback, { timeout } = {}) => timeout && setTimeout(callback, timeout);`,
  });
  expect(await keptPaths(page)).toContain('/offline.html');
});

test('a browser regards the site as installable', async () => {
  const page = await visit('nb-NO');
  const devtools = await context.newCDPSession(page);
  const { errors, data } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(data).toContain('"start_url": "/quiz"');
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  // A test's browser context is incognito, in which nothing can be installed.
  const ids = installabilityErrors.map(({ errorId }) => errorId);
  expect(ids.filter((id) => id !== 'in-incognito')).toEqual([]);
});
