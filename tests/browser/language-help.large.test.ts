import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { openContext, useBrowser } from '#support/browser.ts';
import { drawLanguages, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const languages = drawLanguages();

/** A browser with voices, which records what it says in `window.said`, and does not stop speaking. */
const FAKE_SPEECH = (tags: string[]) => `
  window.said = [];
  window.speaking = false;
  const voices = [];
  const speech = Object.assign(new EventTarget(), {
    getVoices: () => voices,
    speak: (utterance) => {
      window.speaking = true;
      window.said.push({ text: utterance.text, lang: utterance.lang, rate: utterance.rate });
    },
    cancel: () => { window.speaking = false; },
  });
  Object.defineProperty(window, 'speechSynthesis', { value: speech });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  // As in Chrome, the voices arrive later.
  setTimeout(() => {
    voices.push(...${JSON.stringify(tags)}.map((lang) => ({ lang, localService: true })));
    speech.dispatchEvent(new Event('voiceschanged'));
  }, 300);
`;

type Said = { text: string; lang: string; rate: number };
const said = (visitor: Visitor) => visitor.page.evaluate<Said[]>('window.said.splice(0)');
const speaking = (visitor: Visitor) => visitor.page.evaluate<boolean>('window.speaking');

/** A learner at the first question of a drill. */
async function practising(language: (typeof LANGUAGES)[number], voices: string[]) {
  const { email, password } = await newLearner(stack.current);
  const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
  await visitor.page.addInitScript(FAKE_SPEECH(voices));
  await visitor.page.reload();
  await visitor.signIn(email, password);
  await visitor.startDrill();
  await visitor.atQuestion(1, 10);
  return visitor;
}

/** The description of the heading, which a screen reader says after its text. */
const described = (visitor: Visitor) =>
  visitor.page.evaluate<string>(`
    document.querySelector('h1:focus').getAttribute('aria-describedby').split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim()`);

test.each(languages)(
  'reads a question aloud, and stops when it must ($language)',
  async (language) => {
    const { t } = language;
    // Places in a picture have no text to read.
    await stack.current.database.pool.query(
      'update question set validated = false where areas is not null',
    );
    const visitor = await practising(language, ['nb-NO', 'en-GB']);
    const { page } = visitor;
    const tag = language.language === 'no' ? 'nb-NO' : 'en-GB';
    const read = visitor.button(t.language.read);
    const stop = visitor.button(t.language.stop);
    const question = await page.getByRole('heading', { level: 1 }).innerText();
    const options = await page.getByRole('group').getByRole('button').allInnerTexts();

    await read.click();
    expect(await page.getByText(t.language.no_voice).count()).toBe(0);
    const expected = [question, ...options.map((option) => option.replace(/\s*\n\s*/, ': '))];
    expect(await said(visitor)).toEqual(expected.map((text) => ({ text, lang: tag, rate: 1 })));
    await stop.click();
    expect(await speaking(visitor)).toBe(false);

    await page.getByLabel(t.language.slow).check();
    await read.click();
    expect((await said(visitor))[0]).toEqual({ text: question, lang: tag, rate: 0.75 });
    await visitor.button(t.report.title).click();
    await page.getByRole('dialog').waitFor();
    expect(await speaking(visitor)).toBe(false);
    await page.keyboard.press('Escape');

    await page.getByLabel(t.run.auto_advance).uncheck();
    await read.click();
    await visitor.answer('wrong');
    const explanation = visitor.button(t.language.read_explanation);
    await explanation.waitFor();
    expect(await speaking(visitor)).toBe(false);
    await said(visitor);
    await explanation.click();
    expect((await said(visitor)).map(({ text }) => text)).toEqual([
      await page.getByRole('complementary').locator('p').innerText(),
    ]);
    expect(await findingsOf(page)).toEqual([]);
    await visitor.button(t.run.next).click();
    await visitor.atQuestion(2, 10);
    expect(await speaking(visitor)).toBe(false);

    // The choice is remembered.
    await page.reload();
    await read.click();
    expect((await said(visitor))[0]?.rate).toBe(0.75);
    // The quiz is left, first to be continued later, then for good.
    await visitor.button(t.run.exit).click();
    await page.getByRole('dialog').getByRole('link', { name: t.run.exit_leave }).click();
    await page.getByRole('link', { name: new RegExp(`^${t.quiz.continue}:`) }).click();
    await visitor.atQuestion(2, 10);
    await visitor.button(t.run.exit).click();
    await page.getByRole('dialog').getByText(t.run.exit_confirm).click();
    await page.waitForURL('**/quiz');
    expect(await speaking(visitor)).toBe(false);
    expect(visitor.complaints).toEqual([]);
  },
);

test('without a voice for the language, the quiz says so and what helps', async () => {
  const [norwegian] = LANGUAGES;
  const visitor = await practising(norwegian, ['sv-SE', 'en-GB']);
  await expect.poll(() => visitor.page.evaluate('speechSynthesis.getVoices().length')).toBe(2);
  const { read, no_voice, no_voice_text } = norwegian.t.language;
  expect(await visitor.button(read).count()).toBe(0);
  await visitor.page.getByText(no_voice).click();
  await visitor.page.getByText(no_voice_text.replace('{{language}}', 'norsk')).waitFor();
  expect(await findingsOf(visitor.page)).toEqual([]);
});

test.each(languages)('shows a question in the other language ($language)', async (language) => {
  const { t } = language;
  const visitor = await practising(language, []);
  const { page } = visitor;
  const isNorwegian = language.language === 'no';
  const name = isNorwegian ? t.language.in_english : t.language.in_norwegian;
  const disclosure = page.locator('summary', { hasText: name });
  expect(await disclosure.count()).toBe(0);

  await page.route('**/translation?*', (route) => route.abort());
  await visitor.answer('wrong');
  await disclosure.click();
  await page.getByRole('alert').getByText(t.language.failed).waitFor();
  visitor.complaints = [];
  await page.unroute('**/translation?*');
  await visitor.button(t.actions.retry).click();
  const translated = page.locator(`details [lang=${isNorwegian ? 'en' : 'nb'}]`).first();
  await translated.waitFor();
  const question = await page.getByRole('heading', { level: 1 }).innerText();
  const { rows } = await stack.current.database.pool.query<Record<string, string>>(
    `select other.question, other.answer, question.answer as key from question join question other
       using (translation_group)
     where question.question = $1 and other.language <> question.language
       and other.language in ('no', 'en')`,
    [question],
  );
  const text = await translated.innerText();
  expect(text).toContain(rows[0]?.question);
  // In the same place and with the same letter. A reason below an option may have the answer's words too.
  const places = (items: string[], key = '') =>
    items.map((item) => [item[0], item.split('\n').includes(key)]);
  // Without the hard words in the reasons, which are buttons too.
  const options = page.getByRole('group').locator('button[data-look]');
  expect(places(await translated.getByRole('listitem').allInnerTexts(), rows[0]?.answer)).toEqual(
    places(await options.allInnerTexts(), rows[0]?.key),
  );
  expect(await findingsOf(page)).toEqual([]);
  // While the learner reads it, the drill does not advance.
  await page.clock.install();
  await page.clock.fastForward(10_000);
  await visitor.atQuestion(1, 10);
  await page.clock.resume();

  await visitor.button(t.run.next).click();
  for (let n = 2; n <= 10; n += 1) {
    await visitor.atQuestion(n, 10);
    await visitor.answer('right');
  }
  await page.waitForURL('**/result');
  await page
    .getByRole('button', { name: t.result.show_wrong_one.replace('{{count}}', '1') })
    .click();
  // Opened once, it is open at the next question too.
  await page.getByText(rows[0]?.question ?? '').waitFor();
  expect(await findingsOf(page)).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

test('keys work wherever the focus is, and letter keys can be turned off', async () => {
  const [language] = LANGUAGES;
  const { t } = language;
  const visitor = await practising(language, []);
  const { page } = visitor;
  const judged = page.locator('[aria-disabled=true]').first();
  await page.getByLabel(t.run.auto_advance).uncheck();

  // Nothing has the focus.
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('2');
  await judged.waitFor();
  await page.getByRole('complementary').waitFor();
  await page.keyboard.press('Enter');
  await visitor.atQuestion(2, 10);

  // The focus is on an option: Enter chooses it, and then advances.
  await page.getByRole('group').getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').waitFor();
  await page.keyboard.press('Enter');
  await visitor.atQuestion(3, 10);

  // Keys do nothing under a dialog, and work again after it.
  await visitor.button(t.report.title).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await judged.count()).toBe(0);
  await page.keyboard.press('B');
  await judged.waitFor();
  await page.getByRole('complementary').waitFor();
  // The focus is on the dialog's button, which handles Enter itself.
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(4, 10);

  await page.getByLabel(t.run.letter_keys).uncheck();
  await page.keyboard.press('1');
  await page.keyboard.press('a');
  expect(await judged.count()).toBe(0);
  await visitor.button(t.run.exit).focus();
  await page.keyboard.press('2');
  expect(await judged.count()).toBe(0);
  expect(visitor.complaints).toEqual([]);
});

test.each(languages)('shows the progress and the result ($language)', async (language) => {
  const { t } = language;
  const visitor = await practising(language, []);
  const { page } = visitor;
  const counter = (n: number) => t.run.counter.replace('{{n}}', `${n}`).replace('{{total}}', '10');
  await expect.poll(() => described(visitor)).toBe(counter(1));
  const progress = page.getByRole('progressbar');
  const answered = (n: number) =>
    t.run.map_count.replace('{{n}}', `${n}`).replace('{{total}}', '10');
  expect(await progress.getAttribute('aria-valuetext')).toBe(answered(0));

  // Until the drill advances, which it soon does.
  await page.clock.install();
  await visitor.answer('wrong');
  const key = page.locator('[data-look=key]');
  await key.waitFor();
  const text = (await key.locator('span').nth(1).innerText()).trim();
  const announced = page.getByRole('status').filter({ hasText: t.run.announce_wrong });
  expect((await announced.textContent())?.trim()).toBe(`${t.run.announce_wrong} ${text}`);
  expect(await progress.getAttribute('aria-valuetext')).toBe(answered(1));
  await page.clock.fastForward(2000);
  await visitor.atQuestion(2, 10);
  await expect
    .poll(() => described(visitor))
    .toBe(`${counter(2)} ${t.run.announce_previous_wrong} ${text}`);
  await page.clock.resume();

  for (let n = 2; n <= 10; n += 1) {
    await visitor.atQuestion(n, 10);
    await visitor.answer('right');
  }
  await page.waitForURL('**/result');
  await page.locator('h1:focus').waitFor();
  const score = t.result.score.replace('{{score}}', '9').replace('{{total}}', '10');
  expect(await described(visitor)).toBe(score);
  expect(visitor.complaints).toEqual([]);
});

test('keeps "next" and the question in sight on a phone, and mentions keys only with a keyboard', async () => {
  const [{ t }] = LANGUAGES;
  // So low that no explanation is in sight before the page scrolls, however short its question is.
  const screen = { width: 360, height: 500 };
  const { email, password } = await newLearner(stack.current);
  const context = await openContext(browser.current, {
    viewport: screen,
    hasTouch: true,
    isMobile: true,
    locale: 'nb-NO',
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // One that fits its sheet: a higher one lies below the options, which answer-sheet.large.test.ts tests.
  await page.route('**/answer', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { explanation: string };
    const [sentence] = body.explanation.split('. ');
    await route.fulfill({ response, json: { ...body, explanation: sentence } });
  });
  await page.goto(`${stack.current.url}/login?lng=no`);
  await page.getByLabel(t.fields.email, { exact: true }).fill(email);
  await page.getByLabel(t.fields.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: t.auth.sign_in, exact: true }).tap();
  await page.getByRole('button', { name: t.quiz.start_drill, exact: true }).tap();
  const next = page.getByRole('button', { name: t.run.next, exact: true });
  const keys = page.getByLabel(t.run.letter_keys);
  const isInSight = async () => {
    const box = await next.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= screen.height;
  };
  await page.getByLabel(t.run.auto_advance).uncheck();
  expect(await isInSight()).toBe(true);
  expect(await keys.isVisible()).toBe(false);

  await page.evaluate('window.scrollTo(0, 0)');
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.boundingBox();
  await page.getByRole('group').getByRole('button').first().tap();
  const explanation = page.getByRole('complementary');
  await explanation.waitFor();
  // It has no room below the options: the question moves up, but not behind the bar at the top.
  const top = async (part: Locator) => (await part.boundingBox())!.y;
  await expect.poll(() => top(heading)).toBeLessThan(before!.y);
  const bar = (await page.getByRole('progressbar').boundingBox())!;
  expect(await top(heading)).toBeGreaterThanOrEqual(bar.y + bar.height);
  expect(await isInSight()).toBe(true);
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  expect(await isInSight()).toBe(true);
  const wide = 'document.documentElement.scrollWidth';
  expect(await page.evaluate(wide)).toBe(screen.width);

  await page.keyboard.press('Shift');
  await keys.waitFor();
  await next.tap();
  await page.getByText(t.run.counter.replace('{{n}}', '2').replace('{{total}}', '10')).waitFor();
});
