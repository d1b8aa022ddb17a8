import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { useBrowser } from '#support/browser.ts';
import { recordFigures } from '#support/figures.ts';
import { uniqueEmail } from '#support/identity.ts';
import { LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { ApiLearner } from '#support/learner.ts';
import { useOwnStack } from '#support/stack.ts';

// The content security policy makes a browser refuse nothing on the main pages.
const stack = useOwnStack();
const browser = useBrowser();
const [norwegian] = LANGUAGES;
const { t } = norwegian;

/** Runs in the page. */
const WATCH = `addEventListener('securitypolicyviolation', (event) => {
  const { effectiveDirective, blockedURI, sourceFile, sample } = event;
  keepRefused([location.pathname, effectiveDirective, blockedURI, sourceFile, sample].join(' '));
});`;
const PLANT = `
  document.head.append(Object.assign(document.createElement('style'), { textContent: 'p{}' }));
  document.head.append(Object.assign(document.createElement('script'), { text: '1' }));
  document.body.append(Object.assign(new Image(), { src: 'https://elsewhere.example/x.gif' }));`;

/** A visitor whose browser records what it refuses, on every page that it opens from now on. */
async function watcher(path: string) {
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/vilkar');
  const { page } = visitor;
  const refused: string[] = [];
  await page.exposeFunction('keepRefused', (what: string) => void refused.push(what));
  await page.addInitScript({ content: WATCH });
  const goTo = (to: string) => page.goto(`${stack.current.url}${to}`);
  await goTo(path);
  return { visitor, page, refused, goTo };
}

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).first();

test('a foreign style, script or image is refused, and recorded', async () => {
  const { page, refused } = await watcher('/');
  await page.evaluate(PLANT);
  const directives = () => refused.map((it) => it.split(' ')[1] ?? '').toSorted();
  await expect.poll(directives).toEqual(['img-src', 'script-src-elem', 'style-src-elem']);
});

test('an error that our code throws is reported to operators, once', async () => {
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/vilkar');
  const { page } = visitor;
  let isPlanted = false;
  await page.route(/\/assets\/landing[^/]*\.js$/, async (route) => {
    if (isPlanted) return route.continue();
    isPlanted = true;
    const answer = await route.fetch();
    const planted = `;for (const n of [1, 2]) setTimeout(() => { throw new TypeError('planted 123456'); });`;
    return route.fulfill({ response: answer, body: (await answer.text()) + planted });
  });
  const reports: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/browser-errors')) reports.push(request.postDataJSON());
  });
  const answered = page.waitForResponse(/\/api\/v1\/browser-errors$/);
  await page.goto(`${stack.current.url}/`);
  expect((await answered).status()).toBe(200);
  expect(reports).toEqual([
    {
      kind: 'error',
      name: 'TypeError',
      message: 'planted :id',
      at: expect.stringMatching(/^\/assets\/landing[^/]*\.js:\d+:\d+$/),
      page: '/',
    },
  ]);
});

/**
 * What the providers' own pages and scripts load into ours, by directive. Stripe publishes its list for Elements at
 * https://docs.stripe.com/security/guide#content-security-policy (2026-11-26); its hosts at maps.googleapis.com are
 * for the address form, which we do not show. Google publishes no list: these are the addresses in the installed SDK,
 * and its frame at our own domain for signing in.
 */
const PUBLISHED = {
  'script-src-elem': [
    'https://js.stripe.com/dahlia/stripe.js',
    'https://m-outer.js.stripe.com/outer.js',
    'https://apis.google.com/js/api.js',
  ],
  'frame-src': [
    'https://js.stripe.com/v3/elements-inner-payment.html',
    'https://b.js.stripe.com/inner.html',
    'https://hooks.stripe.com/3d_secure_2/hosted',
    'https://127.0.0.1/__/auth/iframe',
  ],
  'connect-src': [
    'https://api.stripe.com/v1/elements/sessions',
    'https://identitytoolkit.googleapis.com/v1/accounts:lookup',
    'https://securetoken.googleapis.com/v1/token',
  ],
  'img-src': ['https://q.stripe.com/logo.svg'],
};

/** The same kinds of requests, to hosts that only look like the providers'. */
const LOOK_ALIKES = {
  'script-src-elem': ['https://js.stripe.com.example.no/stripe.js', 'https://google.com/js/api.js'],
  'frame-src': ['https://stripe.com/inner.html', 'https://example.no/__/auth/iframe'],
  'connect-src': ['https://js.stripe.com/v1/tokens', 'https://www.googleapis.com/v1/token'],
  'img-src': ['https://stripe.com.example.no/logo.svg'],
};

type Loads = typeof PUBLISHED;

/** Runs in the page: loads each address in the way of its directive, and waits until each is loaded or refused. */
const LOAD = `async (loads) => {
  const elements = { 'script-src-elem': 'script', 'frame-src': 'iframe', 'img-src': 'img' };
  await Promise.all(Object.entries(loads).flatMap(([directive, urls]) => urls.map((src) =>
    directive === 'connect-src'
      ? fetch(src, { mode: 'no-cors' }).catch(() => {})
      : new Promise((resolve) => {
          const element = Object.assign(document.createElement(elements[directive]), { src });
          element.onload = element.onerror = resolve;
          document.body.append(element);
        }))));
}`;

test("the providers' published hosts are allowed for what they load, and nothing like them", async () => {
  const { page, refused, goTo } = await watcher('/');
  const arrived: string[] = [];
  await page.route(/^https:/, (route) => {
    arrived.push(route.request().url());
    return route.fulfill({ body: '' });
  });
  await goTo('/personvern');
  const load = (loads: Loads) => page.evaluate(`(${LOAD})(${JSON.stringify(loads)})`);

  await load(PUBLISHED);
  expect(refused).toEqual([]);
  expect(arrived.toSorted()).toEqual(Object.values(PUBLISHED).flat().toSorted());
  recordFigures({ 'hosts of the providers': arrived.length, 'refused of them': refused.length });

  arrived.length = 0;
  await load(LOOK_ALIKES);
  const told = () => refused.map((it) => it.split(' ')[1] ?? '').toSorted();
  const expected = Object.entries(LOOK_ALIKES).flatMap(([directive, urls]) =>
    urls.map(() => directive),
  );
  await expect.poll(told).toEqual(expected.toSorted());
  expect(arrived).toEqual([]);
});

test('a visitor reads, registers and pays without anything being refused', async () => {
  const { visitor, page, refused, goTo } = await watcher('/');
  for (const path of [
    '/personvern',
    '/vilkar',
    '/cookies',
    '/tilgjengelighet',
    '/smakebit',
    '/login',
    '/betalt',
  ]) {
    await goTo(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  }
  await goTo('/quiz');
  await page.getByText(t.auth.create_account, { exact: true }).click();
  await visitor.fill(t.fields.username, 'Kari');
  await visitor.fill(t.fields.email, uniqueEmail());
  await visitor.fill(t.fields.password, 'et godt passord');
  await visitor.button(t.registration.submit).click();
  await heading(page, t.registration.billing_title).waitFor();
  await visitor.agree();
  await visitor.button(t.payment.proceed).click();
  await visitor.payWith('4242424242424242');
  await heading(page, t.registration.success_title).waitFor();
  expect(refused).toEqual([]);
});

test('a learner practises and reads results without anything being refused', async () => {
  const learner = await newLearner(stack.current);
  const api = await ApiLearner.signIn(stack.current, learner);
  const ended = await api.play({ topic: 'all', question_count: 5 }, 2, 'wrong');
  const { visitor, page, refused, goTo } = await watcher('/login');
  await visitor.signIn(learner.email, learner.password);
  await visitor.startDrill();
  await visitor.atQuestion(1, 10);
  await visitor.answer('right');
  for (const path of [`/quiz/${ended}/result`, '/quiz?tab=history', '/offline.html']) {
    await goTo(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  }
  await goTo('/quiz?tab=account');
  await page.getByText(learner.email).first().waitFor();
  await goTo('/quiz/billing');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(refused).toEqual([]);
});

test('an administrator uses the portal and the API document without anything being refused', async () => {
  const { visitor, page, refused, goTo } = await watcher('/admin');
  await visitor.button(t.auth.google).click();
  await visitor.fill(t.fields.email, 'admin@example.no');
  await visitor.button(t.auth.emulated_google_continue).click();
  await page.waitForURL('**/admin/dashboard**');
  const tabs = page.getByRole('navigation', { name: adminNo.shell.nav }).getByRole('link');
  await tabs.first().waitFor();
  const links = await tabs.all();
  const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths) {
    await goTo(path ?? '');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('.ds-skeleton').first().waitFor({ state: 'detached' });
  }
  await goTo('/admin/dashboard/users');
  await visitor.button(adminNo.users.refresh).click();
  await page.getByText(adminNo.users.refreshed).waitFor();
  // The library may not insert its styles, so they are in our style sheet.
  const position = `getComputedStyle(document.querySelector('[data-sonner-toaster]')).position`;
  expect(await page.evaluate(position)).toBe('fixed');
  await goTo('/api/v1/docs');
  await page.getByText('Prøveklar API').first().waitFor();
  expect(refused).toEqual([]);
});
