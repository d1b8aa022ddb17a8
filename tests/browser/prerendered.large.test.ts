import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import landingEn from '../../frontend/src/texts/landing.en.json' with { type: 'json' };
import landingNo from '../../frontend/src/texts/landing.no.json' with { type: 'json' };
import learnerNo from '../../frontend/src/texts/learner.no.json' with { type: 'json' };
import pagesEn from '../../frontend/src/texts/pages.en.json' with { type: 'json' };
import pagesNo from '../../frontend/src/texts/pages.no.json' with { type: 'json' };
import translationEn from '../../frontend/src/texts/translation.en.json' with { type: 'json' };
import translationNo from '../../frontend/src/texts/translation.no.json' with { type: 'json' };
import { openContext, useBrowser } from '#support/browser.ts';
import { WAIT } from '#support/hang.ts';
import { newLearner } from '#support/journey.ts';
import { gotoAfterFont, observe, readProbe, hydrated } from '#support/page-probe.ts';
import { useOwnStack } from '#support/stack.ts';

const stack = useOwnStack();
const no = { ...translationNo, ...pagesNo };
const en = { ...translationEn, ...pagesEn };
/** JavaScript of a page by gzip, in kilobytes. */
const LIMIT_KB = { landing: 110, home: 236 };
let context: BrowserContext;
let complaints: string[];
const browser = useBrowser();
afterEach(() => context.close());

async function open(options: BrowserContextOptions): Promise<Page> {
  context = await openContext(browser.current, {
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  complaints = [];
  context.on('page', (page) => {
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
  });
  return context.newPage();
}

/** The transfer size of scripts in kilobytes; a browser would ask for brotli. */
async function transferSize(paths: readonly string[], encoding: 'gzip' | 'br'): Promise<number> {
  const sizes = paths.map(async (path) => {
    const headers = { 'accept-encoding': encoding };
    const response = await fetch(stack.current.url + path, { method: 'HEAD', headers });
    expect(response.headers.get('content-encoding'), path).toBe(encoding);
    return Number(response.headers.get('content-length'));
  });
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return Math.round(bytes / 100) / 10;
}

const LANGUAGES = [
  { language: 'no', locale: 'nb-NO', tag: 'nb', t: no, rest: landingNo },
  { language: 'en', locale: 'en-GB', tag: 'en', t: en, rest: landingEn },
];

describe.each(LANGUAGES)('without JavaScript ($language)', ({ locale, language, tag, t, rest }) => {
  test('the landing page has all its content', async () => {
    const page = await open({ locale, javaScriptEnabled: false });
    await page.goto(stack.current.url);
    expect(await page.locator('html').getAttribute('lang')).toBe(tag);
    expect(await page.title()).toContain(t.landing.title);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(t.landing.headline);
    expect(
      await page.getByText(language === 'no' ? '149\u00a0kr' : 'NOK\u00a0149').isVisible(),
    ).toBe(true);
    const duration = t.landing.pricing_duration_other.replace('{{count}}', '30');
    expect(await page.getByText(duration).isVisible()).toBe(true);
    for (const [name, path] of [
      [t.landing.start_quiz, '/quiz'],
      [rest.pricing.action, '/quiz?mode=register'],
      [t.footer.privacy, '/personvern'],
      [t.footer.terms, '/vilkar'],
      [t.footer.cookies, '/cookies'],
      [t.footer.accessibility, '/tilgjengelighet'],
      [t.footer.admin, '/admin'],
      [t.footer.contact, 'mailto:kontakt@example.no'],
    ] as const) {
      const link = page.getByRole('link', { name, exact: true });
      expect(await link.getAttribute('href'), name).toBe(path);
    }
    await page.getByRole('link', { name: t.footer.privacy }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(t.footer.privacy);
  });
});

/** One language with, and one without, the seller's name in the footer. */
const SELLERS: Record<string, string | null> = { no: null, en: 'Øv & Bestå AS' };

describe.each(LANGUAGES)('with JavaScript ($language)', ({ locale, language, tag, t }) => {
  const seller = SELLERS[language] ?? null;
  beforeAll(async () => {
    await stack.current.database.pool.query('update settings set seller_name = $1', [seller]);
    await vi.waitFor(async () => {
      const page = await (await fetch(stack.current.url)).text();
      expect(page.includes('"seller":null')).toBe(seller === null);
    }, WAIT);
  });

  const pages = ['/', '/personvern', '/vilkar', '/cookies', '/tilgjengelighet', '/angrerett'];
  test.each([...pages, '/login', '/quiz'])(
    '%s is hydrated without a change, and nothing moves',
    async (path) => {
      const page = await open({ locale });
      await observe(page);
      await gotoAfterFont(page, stack.current.url + path);
      await hydrated(page, 'h1');
      await hydrated(page, 'footer a');
      if (seller) expect(await page.locator('footer').getByText(seller).isVisible()).toBe(true);
      const { marked, kept, nodes, shift } = await readProbe(page);
      expect(marked).toBeGreaterThan(20);
      expect({ kept, nodes }).toEqual({ kept: marked, nodes: marked });
      expect(shift).toBeLessThan(0.001);
      expect(complaints).toEqual([]);
    },
  );

  test('the landing page loads few scripts, and none that it does not need', async () => {
    const page = await open({ locale });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(stack.current.url, { waitUntil: 'networkidle' });
    await hydrated(page, 'h1');
    const scripts = asked.filter((path) => path.endsWith('.js'));
    const kilobytes = {
      gzip: await transferSize(scripts, 'gzip'),
      br: await transferSize(scripts, 'br'),
    };
    process.stdout.write(
      `Landing (${language}): ${scripts.length} scripts, ${kilobytes.gzip} kB gzip, ${kilobytes.br} kB brotli\n`,
    );
    expect(scripts.length).toBeGreaterThan(2);
    expect(kilobytes.br).toBeLessThan(kilobytes.gzip);
    expect(kilobytes.gzip).toBeGreaterThan(50);
    expect(kilobytes.gzip).toBeLessThanOrEqual(LIMIT_KB.landing);
    const other = language === 'no' ? 'en' : 'no';
    expect(
      asked.filter((path) => path.includes(`.${other}-`) || path.includes('/assets/pages.')),
    ).toEqual([]);
    expect(
      asked.filter((path) => /identity|router|quiz-|card-|stripe|^\/api\//.test(path)),
    ).toEqual([]);
  });

  test('a chosen language is stored, and the server knows it', async () => {
    const page = await open({ locale });
    const other = language === 'no' ? en : no;
    await page.goto(`${stack.current.url}/?lng=${language}`);
    await hydrated(page, 'h1');
    await page
      .getByRole('button', { name: language === 'no' ? 'EN – English' : 'NO – Norsk' })
      .click();
    await page.getByRole('heading', { name: other.landing.headline }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await observe(page);
    await page.reload({ waitUntil: 'networkidle' });
    await hydrated(page, 'h1');
    const { marked, kept } = await readProbe(page);
    expect(kept).toBe(marked);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(other.landing.headline);
    expect(complaints).toEqual([]);
  });

  test('what only the browser knows is applied after the hydration', async () => {
    const page = await open({ locale });
    const other = language === 'no' ? en : no;
    const remembered = language === 'no' ? 'en' : 'no';
    await page.addInitScript(`localStorage.setItem('i18nextLng', '${remembered}')`);
    await observe(page);
    const response = await page.goto(stack.current.url);
    expect(await response?.text()).toContain(t.landing.headline);
    await page.getByRole('heading', { name: other.landing.headline }).waitFor();
    const { marked, kept } = await readProbe(page);
    expect(kept).toBe(marked);
    const again = await page.reload();
    expect(await again?.text()).toContain(other.landing.headline);
    expect(complaints).toEqual([]);
  });

  test('settings that the gateway could not read in time are read again', async () => {
    const page = await open({ locale });
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    await page.route('**/login', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"config_is_old":false', '"config_is_old":true');
      await route.fulfill({ response, body });
    });
    await page.goto(`${stack.current.url}/login`);
    await expect.poll(() => asked).toContain('/api/v1/config');
    await page.unroute('**/login');
    asked.length = 0;
    await page.goto(`${stack.current.url}/login`, { waitUntil: 'networkidle' });
    expect(asked).not.toContain('/api/v1/config');
    expect(complaints).toEqual([]);
  });

  test('an unknown language changes nothing, wherever it comes from', async () => {
    const page = await open({ locale });
    await context.addCookies([
      { name: 'i18next', value: '"><script>alert(1)</script>', url: stack.current.url },
    ]);
    await page.addInitScript(`
      localStorage.setItem('i18nextLng', '__proto__');
      sessionStorage.setItem('i18nextLng', '<img src=x onerror=alert(1)>');
    `);
    await observe(page);
    await page.goto(`${stack.current.url}/?lng=%22%3E%3Cscript%3Ealert(1)%3C/script%3E`);
    await hydrated(page, 'h1');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(t.landing.headline);
    expect(await page.locator('html').getAttribute('lang')).toBe(tag);
    const { marked, kept } = await readProbe(page);
    expect(kept).toBe(marked);
    expect(complaints).toEqual([]);
  });

  test('a skeleton stays until the page is there, without a console error', async () => {
    const page = await open({ locale });
    await observe(page);
    await gotoAfterFont(page, `${stack.current.url}/quiz/billing`);
    await page.getByRole('heading', { name: t.auth.login_title }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    expect((await readProbe(page)).shift).toBeLessThan(0.001);
    expect(complaints).toEqual([]);
  });
});

/** Signs a new learner in, and waits for their home. */
async function openHome(page: Page) {
  const { email, password } = await newLearner(stack.current);
  await page.goto(`${stack.current.url}/login`);
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(password);
  await page.locator('main form').getByRole('button', { name: no.auth.sign_in }).click();
  const start = page.getByRole('button', { name: learnerNo.quiz.start_practice });
  await start.waitFor();
  return start;
}

test('the home of a learner asks for the session before the rest of its code has loaded', async () => {
  const page = await open({ locale: 'nb-NO' });
  const start = await openHome(page);
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  page.on('request', (request) => {
    if (request.url().includes('accounts:lookup')) ask();
  });
  await page.route('**/assets/packages-*.js', async (route) => {
    await asked;
    await route.continue();
  });
  await page.reload();
  await start.waitFor();
  expect(complaints).toEqual([]);
});

test('the home of a learner loads no more code than its limit', async () => {
  const page = await open({ locale: 'nb-NO' });
  const start = await openHome(page);
  // The same page as a returning learner opens it: without what only the sign-in needs.
  await page.reload();
  await start.waitFor();
  await page.getByRole('heading', { name: learnerNo.quiz.today }).waitFor();
  const loaded = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
  );
  const scripts = loaded.filter((path) => path.endsWith('.js'));
  const gzip = await transferSize(scripts, 'gzip');
  process.stdout.write(`Home: ${scripts.length} scripts, ${gzip} kB gzip\n`);
  expect(gzip).toBeGreaterThan(LIMIT_KB.landing);
  expect(gzip).toBeLessThanOrEqual(LIMIT_KB.home);
});

describe('the sign-in form, before its code is loaded,', () => {
  test('keeps what is typed, and is not submitted by the browser, which would put it into the URL', async () => {
    const page = await open({ locale: 'nb-NO' });
    const { promise: codeMayCome, resolve: letCodeCome } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await codeMayCome;
      await route.continue();
    });
    const { email, password } = await newLearner(stack.current);
    await page.goto(`${stack.current.url}/quiz`, { waitUntil: 'commit' });
    await page.locator('[name=email]').fill(email);
    await page.locator('[name=password]').fill(password);
    await page.keyboard.press('Enter');
    const button = page.locator('main form').getByRole('button', { name: no.auth.sign_in });
    await button.click({ force: true });
    expect(await button.isDisabled()).toBe(true);
    expect(page.url()).toBe(`${stack.current.url}/quiz`);

    letCodeCome();
    await button.click();
    await page.getByRole('tablist').waitFor();
    expect(complaints).toEqual([]);
  });

  test('is replaced by the home after a sign-in in another tab', async () => {
    const page = await open({ locale: 'nb-NO' });
    const { email, password } = await newLearner(stack.current);
    const other = await context.newPage();
    await other.goto(`${stack.current.url}/login`);
    const { promise: codeMayCome, resolve: letCodeCome } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await codeMayCome;
      await route.continue();
    });
    await page.goto(`${stack.current.url}/quiz`, { waitUntil: 'commit' });
    await page.locator('[name=password]').waitFor();
    await other.locator('[name=email]').fill(email);
    await other.locator('[name=password]').fill(password);
    await other.locator('main form').getByRole('button', { name: no.auth.sign_in }).click();
    await other.getByRole('tablist').waitFor();

    letCodeCome();
    await page.getByRole('tablist').waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows an error when a file of its code cannot be loaded', async () => {
    const page = await open({ locale: 'nb-NO' });
    await page.route('**/assets/translation.no-*.js', (route) => route.abort());
    await page.goto(`${stack.current.url}/quiz`);
    const note = page.getByRole('alert');
    expect(await note.innerText()).toContain('Vi fikk ikke lastet hele siden.');
    await page.unroute('**/assets/translation.no-*.js');
    await note.getByRole('link').click();
    await page.locator('main form').getByRole('button', { name: no.auth.sign_in }).click();
    await page.getByText(no.fields.fill_in_all).waitFor();
  });

  test('is replaced by the home’s skeleton for a visitor who seems to be signed in, even wrongly', async () => {
    const page = await open({ locale: 'nb-NO' });
    await context.addCookies([{ name: 'signed-in', value: '1', url: stack.current.url }]);
    const response = await page.goto(`${stack.current.url}/quiz`);
    const html = await response!.text();
    expect(html).not.toContain('name="password"');
    const titles = [...html.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, title]) => title);
    const { quiz } = learnerNo;
    expect(titles).toEqual([quiz.today, quiz.practice_test, quiz.drill_title]);
    await page.locator('[name=password]').waitFor();
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('signed-in');
    expect(complaints).toEqual([]);
  });
});

describe('the checks of these tests', () => {
  test('notice when the server’s nodes are thrown away', async () => {
    const page = await open({ locale: 'nb-NO' });
    await observe(page);
    // The page's texts differ from the code's: React reports it and renders everything again.
    await page.route(stack.current.url, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(no.landing.headline, 'Something else');
      await route.fulfill({ response, body });
    });
    await page.goto(stack.current.url);
    await page.getByRole('heading', { name: no.landing.headline }).waitFor();
    const { marked, kept } = await readProbe(page);
    expect(kept).toBeLessThan(marked);
    expect(complaints.join()).toMatch(/Minified React error #418/);
  });

  test('notice a layout shift', async () => {
    const page = await open({ locale: 'nb-NO' });
    await observe(page);
    await page.goto(stack.current.url, { waitUntil: 'networkidle' });
    await page.evaluate(`document.body.style.paddingTop = '200px'`);
    await expect.poll(async () => (await readProbe(page)).shift).toBeGreaterThan(0.01);
  });
});
