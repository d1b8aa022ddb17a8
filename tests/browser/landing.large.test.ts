import { expect, test } from 'vitest';
import landingEn from '../../frontend/src/texts/landing.en.json' with { type: 'json' };
import landingNo from '../../frontend/src/texts/landing.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, LANGUAGES, Visitor } from '#support/journey.ts';
import { gotoAfterFont, hydrated, observe, readProbe } from '#support/page-probe.ts';
import { useOwnStack } from '#support/stack.ts';

const stack = useOwnStack();
const browser = useBrowser();
const languages = drawLanguages();
const REST = { no: landingNo, en: landingEn };
const [norwegian] = LANGUAGES;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

const CARD = 'section[aria-labelledby=try-question]';

/** The right answer to the question on the page, and a wrong one. */
async function answersTo({ page }: Visitor) {
  const text = await page.locator(`${CARD} h2`).innerText();
  const { rows } = await stack.current.database.pool.query<{ answer: string; incorrect: string[] }>(
    'select answer, incorrect from question where question = $1',
    [text],
  );
  const [{ answer, incorrect }] = rows as [(typeof rows)[0]];
  return { right: answer, wrong: incorrect[0]! };
}

test.each(languages)(
  'a question on the page is answered by keyboard, and leads into the free questions ($language)',
  async (language) => {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/');
    const { page, t } = visitor;
    await hydrated(page, `${CARD} button`);
    expect(await findingsOf(page)).toEqual([]);
    const { right } = await answersTo(visitor);
    const option = page.locator(CARD).getByRole('button').filter({ hasText: right });
    await option.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: t.landing.try_right }).waitFor();
    expect(await option.getAttribute('data-look')).toBe('right');
    expect(await page.locator(`${CARD} form`).getByRole('button').count()).toBe(1);
    expect(await findingsOf(page)).toEqual([]);

    // The source first, then the way on.
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("href")');
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^https:/);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('/smakebit');
    await page.keyboard.press('Enter');
    await visitor.atQuestion(2, 10);
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1');
    expect(visitor.complaints).toEqual([]);
  },
);

test('a wrong answer on a phone shows the right one and why, in a card that does not shrink', async () => {
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/', PHONE);
  const { page, t } = visitor;
  await hydrated(page, `${CARD} button`);
  const { wrong, right } = await answersTo(visitor);
  const option = page.locator(CARD).getByRole('button').filter({ hasText: wrong });
  const height = () =>
    page.evaluate<number>(`document.querySelector('${CARD}').getBoundingClientRect().height`);
  const before = await height();
  await page.route('**/api/v1/sample/answer', (route) => route.abort(), { times: 1 });
  await option.tap();
  await page.getByText(t.landing.try_failed).waitFor();
  await option.tap();
  await page
    .getByRole('status')
    .filter({ hasText: `${t.landing.try_key}: ${right}` })
    .waitFor();
  expect(await option.getAttribute('data-look')).toBe('wrong');
  expect(await height()).toBeGreaterThanOrEqual(before);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole('link', { name: t.landing.try_next }).tap();
  await visitor.atQuestion(2, 10);
});

test('an option pressed before any code has come leads to the free questions', async () => {
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/cookies', {
    javaScriptEnabled: false,
  });
  const { page } = visitor;
  await page.goto(stack.current.url);
  await page.locator(`${CARD} form`).getByRole('button').first().click();
  await page.waitForURL('**/smakebit?');
});

test.each(languages)(
  'the facts of the tests have a source and a date ($language)',
  async (language) => {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/', {
      javaScriptEnabled: false,
    });
    const { page } = visitor;
    const rest = REST[language.language];
    const card = (name: string) => page.getByRole('listitem').filter({ hasText: name }).first();
    const date = language.language === 'no' ? '20. november 2026' : '20 November 2026';
    for (const [name, figures, host] of [
      [rest.exams.samfunnskunnskap, ['38', '34', '26', '60'], 'halden.kommune.no'],
      [rest.exams.statsborger, ['36', '32', '24', '60'], 'utrop.no'],
    ] as const) {
      expect(await card(name).locator('dd').allInnerTexts()).toEqual(figures);
      expect(await card(name).innerText()).toContain(
        `${host}, ${rest.exams.checked.replace('{{date}}', date)}`,
      );
    }
    expect(await card(rest.exams.samfunnskunnskap).innerText()).toContain(rest.exams.pictures);
    const source = card(rest.exams.samfunnskunnskap).getByRole('link');
    expect(await source.getAttribute('href')).toMatch(/[/]samfunnskunnskapsproven[/]$/);
    // Questions and answers open without code.
    await page.getByText(rest.faq.withdrawal_q).click();
    expect(await page.getByText(rest.faq.withdrawal_a).isVisible()).toBe(true);
  },
);

test('the page below the question is hydrated when the visitor moves, and keeps its nodes', async () => {
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/cookies');
  const { page } = visitor;
  await observe(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await gotoAfterFont(page, stack.current.url);
  await hydrated(page, 'footer a');
  expect(asked.filter((url) => /\/assets\/rest-/.test(url))).toEqual([]);
  await page.mouse.move(200, 200);
  await hydrated(page, '#pris');
  const { marked, kept, nodes, shift } = await readProbe(page);
  expect({ kept, nodes }).toEqual({ kept: marked, nodes: marked });
  expect(shift).toBeLessThan(0.001);
  expect(visitor.complaints).toEqual([]);
});

test('a change of language waits for the page below the question, and keeps its nodes', async () => {
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/cookies');
  const { page } = visitor;
  await page.addInitScript(`localStorage.setItem('i18nextLng', 'en')`);
  // The first page keeps its language once it is hydrated, which would win here.
  await expect.poll(() => page.context().cookies()).not.toEqual([]);
  await page.context().clearCookies();
  await observe(page);
  await page.goto(stack.current.url);
  await page.getByText(landingEn.faq.official_q).waitFor();
  const { marked, kept } = await readProbe(page);
  expect(kept).toBe(marked);
  expect(visitor.complaints).toEqual([]);
});

test('the question can be taken in English, from its card', async () => {
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/', PHONE);
  const { page } = visitor;
  await hydrated(page, `${CARD} button`);
  const asked = await page.locator(`${CARD} h2`).innerText();
  await page.locator(CARD).getByRole('button', { name: 'English', exact: true }).tap();
  await page.locator(`${CARD} h2[lang=en]`).waitFor();
  expect(await page.locator(`${CARD} h2`).innerText()).not.toBe(asked);
  expect(await page.evaluate('document.documentElement.lang')).toBe('en');
});

test('a signed-in learner is offered to continue, and nothing to buy', async () => {
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/cookies');
  const { page, t } = visitor;
  await page.context().addCookies([{ name: 'signed-in', value: '1', url: stack.current.url }]);
  await observe(page);
  await page.goto(stack.current.url, { waitUntil: 'networkidle' });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  expect(await link(t.landing.continue).getAttribute('href')).toBe('/quiz');
  for (const name of [t.landing.try_sample, t.landing.see_price, landingNo.pricing.action]) {
    expect(await link(name).count(), name).toBe(0);
  }
  expect((await readProbe(page)).shift).toBeLessThan(0.001);
});

test('without a question there is no card, and the page works', async () => {
  const { pool } = stack.current.database;
  const { rows } = await pool.query<{ id: string }>(
    'update question set validated = false where validated returning id',
  );
  const page = async () => (await fetch(stack.current.url)).text();
  await expect.poll(page).toContain('"question":null');
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/');
  expect(await visitor.page.locator(CARD).isVisible()).toBe(false);
  expect(visitor.complaints).toEqual([]);
  await pool.query('update question set validated = true where id = any ($1)', [
    rows.map(({ id }) => id),
  ]);
});

test('an address without a page leads a stranger to the free questions', async () => {
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/finnes-ikke');
  const { page, t } = visitor;
  await page.getByRole('heading', { name: t.not_found.title }).waitFor();
  await page.getByRole('link', { name: t.landing.try_sample }).click();
  await visitor.atQuestion(1, 10);
});
