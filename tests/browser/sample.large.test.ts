import { expect, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, type JourneyLanguage, LANGUAGES, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const stack = useOwnStack();
const browser = useBrowser();
const [norwegian, english] = LANGUAGES;

const open = (language: JourneyLanguage, path: string) =>
  Visitor.open(browser.current, stack.current, language, path);

/** Presses Tab until a link or button has the focus, and then Enter. */
async function press({ page }: Visitor, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      `document.activeElement.innerText?.trim() || document.activeElement.ariaLabel || ''`,
    );
    if (focused === name) return page.keyboard.press('Enter');
  }
  throw new Error(`No link or button "${name}" on ${page.url()}`);
}

/** Answers the current question with a digit key, and waits for the feedback. */
async function answer({ page, t }: Visitor, how: 'right' | 'wrong'): Promise<void> {
  const text = await page.getByRole('heading', { level: 1 }).innerText();
  const { rows } = await stack.current.database.pool.query<{ answer: string }>(
    'select answer from question where question = $1',
    [text],
  );
  const options = await page.getByRole('group', { name: t.run.options }).getByRole('button').all();
  const texts = await Promise.all(options.map((option) => option.innerText()));
  const key = texts.findIndex((option) => option.split('\n').includes(rows[0]?.answer ?? ''));
  expect(key, `${text} ${texts.join('|')}`).toBeGreaterThanOrEqual(0);
  const chosen = how === 'right' ? key : (key + 1) % options.length;
  await page.keyboard.press(String(chosen + 1));
  await page
    .getByText(how === 'right' ? t.run.right : t.run.correct_answer, { exact: true })
    .waitFor();
}

test.each(drawLanguages())(
  'answers ten questions by keyboard, without an account ($language)',
  async (language) => {
    const visitor = await open(language, '/');
    const { page, t } = visitor;
    await press(visitor, t.landing.try_sample);
    await visitor.atQuestion(1, 10);
    // From here on: before, a pause over "sign in" may have preloaded its code.
    const asked: string[] = [];
    const size = page.viewportSize()!;
    page.on('request', (request) => asked.push(request.url()));
    expect(await findingsOf(page)).toEqual([]);
    for (let n = 1; n <= 10; n += 1) {
      await visitor.atQuestion(n, 10);
      if (n === 5) {
        await page.reload();
        await visitor.atQuestion(5, 10);
        const progress = page.getByRole('progressbar');
        expect(await progress.getAttribute('aria-valuenow')).toBe('4');
        await page.getByRole('heading', { level: 1 }).focus();
      }
      await answer(visitor, n === 2 || n === 7 ? 'wrong' : 'right');
      expect(await page.getByRole('button', { name: t.report.button }).count()).toBe(0);
      if (n === 10) {
        await page.setViewportSize({ width: 360, height: 500 });
        await page.evaluate('window.scrollTo(0, 50)');
        await expect.poll(() => page.evaluate('window.scrollY')).toBe(50);
      }
      await page.keyboard.press('Enter');
    }

    const score = t.result.score.replace('{{score}}', '8').replace('{{total}}', '10');
    await page.getByText(score).waitFor();
    expect(await page.evaluate('window.scrollY')).toBe(0);
    await page.setViewportSize(size);
    expect(await page.getByText(/^80\s?%$/).isVisible()).toBe(true);
    expect(await page.locator('h1:focus').innerText()).toBe(t.result.good);
    await page.reload();
    await page.getByText(score).waitFor();
    await press(visitor, t.sample.show_wrong_other.replace('{{count}}', '2'));
    const keys = page.getByText(t.run.correct_answer, { exact: true });
    await expect.poll(() => keys.count()).toBe(2);
    expect(
      await page
        .getByText(/149\u00a0kr|NOK\u00a0149/)
        .first()
        .isVisible(),
    ).toBe(true);
    expect(await findingsOf(page)).toEqual([]);
    expect(asked.filter((url) => /identity|identitytoolkit|firebase/.test(url))).toEqual([]);

    await press(visitor, t.sample.again);
    await visitor.atQuestion(1, 10);
    const shown = await page.evaluate(`document.querySelector('[role=progressbar]').ariaValueNow`);
    expect(shown).toBe('0');
    for (let n = 1; n <= 10; n += 1) {
      await visitor.atQuestion(n, 10);
      await answer(visitor, 'right');
      await page.keyboard.press('Enter');
    }
    await page.getByText(t.result.all_right).waitFor();
    await page.getByRole('heading', { name: t.practice.topics_title }).waitFor();
    await press(
      visitor,
      t.sample.create_account.replace(
        '{{price}}',
        language.language === 'no' ? '149\u00a0kr' : 'NOK\u00a0149',
      ),
    );
    await page.waitForURL('**/quiz?mode=register');
    await page.getByRole('heading', { name: t.auth.create_account }).waitFor();
    expect(visitor.complaints).toEqual([]);
  },
);

test('offers Norwegian and English before the first answer, and nothing moves at it', async () => {
  const visitor = await open(norwegian, '/smakebit');
  const { page } = visitor;
  await page.setViewportSize({ width: 360, height: 640 });
  await visitor.atQuestion(1, 10);
  const heading = page.getByRole('heading', { level: 1 });
  const choice = page.getByRole('button', { name: 'English', exact: true });
  await choice.click();
  await page.locator('h1[lang=en]').waitFor();
  await page
    .getByText(english.t.run.counter.replace('{{n}}', '1').replace('{{total}}', '10'))
    .waitFor();
  expect(await findingsOf(page)).toEqual([]);
  const { y } = (await heading.boundingBox())!;
  await page.locator('[data-look]').first().click();
  await page.locator('[data-answer]').waitFor();
  expect(await choice.count()).toBe(0);
  await page.evaluate('scrollTo(0, 0)');
  expect((await heading.boundingBox())!.y).toBe(y);
  // From now on the run keeps its questions.
  await page.reload();
  await page.locator('h1[lang=en]').waitFor();
});

test('shows a question and its options in English after the answer, and all of them in English', async () => {
  const visitor = await open(norwegian, '/smakebit');
  const { page, t } = visitor;
  await visitor.atQuestion(1, 10);
  const inEnglish = page.getByText(t.language.in_english, { exact: true });
  expect(await inEnglish.count()).toBe(0);
  await visitor.answer('wrong');
  await inEnglish.click();
  const translated = page.locator('details [lang=en]');
  await translated.getByText(t.run.correct_answer).waitFor();
  const { rows } = await stack.current.database.pool.query<{ answer: string }>(
    `select english.answer from question join question english using (translation_group)
     where question.question = $1 and english.language = 'en'`,
    [await page.getByRole('heading', { level: 1 }).innerText()],
  );
  expect(await translated.locator('li[data-key]').innerText()).toContain(rows[0]!.answer);
  expect(await findingsOf(page)).toEqual([]);
  for (let n = 2; n <= 10; n += 1) {
    await visitor.button(t.run.next).click();
    await visitor.atQuestion(n, 10);
    await visitor.answer('right');
    await page.getByText(t.run.right, { exact: true }).waitFor();
  }
  await visitor.button(t.run.finish).click();
  await page.getByText(t.sample.result, { exact: true }).waitFor();
  await page.getByText(/26 av 34 riktige.*Av 10 spørsmål blir det 8\./).waitFor();
  await visitor.button(t.sample.again_en).click();
  await visitor.atQuestion(1, 10);
  expect(await page.getByRole('heading', { level: 1 }).getAttribute('lang')).toBe('en');
  expect(visitor.complaints).toEqual([]);
});

test('shows each error, with a way on', async () => {
  const sampleUrl = '**/api/v1/sample?*';
  const visitor = await open(norwegian, '/cookies');
  const { page, t } = visitor;
  await page.route(sampleUrl, (route) => route.fulfill({ json: { questions: [] } }));
  await page.goto(`${stack.current.url}/smakebit`);
  await page.getByRole('heading', { name: t.sample.empty_title }).waitFor();
  expect(await findingsOf(page)).toEqual([]);

  await page.unroute(sampleUrl);
  await page.route(sampleUrl, (route) => route.fulfill({ status: 404, json: {} }));
  await page.reload();
  const failed = t.quiz.failed.questions.replace('{{status}}', t.error.status_404);
  await page.getByText(failed).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await page.unroute(sampleUrl);
  await visitor.button(t.actions.retry).click();

  await visitor.atQuestion(1, 10);
  await visitor.answer('right');
  // The sample advances only on request, and one can go back.
  await page.clock.install();
  await page.getByText(t.run.right, { exact: true }).waitFor();
  await page.clock.fastForward(10_000);
  await visitor.atQuestion(1, 10);
  await page.clock.resume();
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(2, 10);
  await visitor.button(t.run.previous).click();
  await page.getByText(t.run.right, { exact: true }).waitFor();
  await page.getByRole('complementary').waitFor();
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(2, 10);
  const gone = await page.getByRole('heading', { level: 1 }).innerText();
  await stack.current.database.pool.query(
    'update question set retired_at = now() where question = $1',
    [gone],
  );
  const read = async () => (await fetch(`${stack.current.url}/api/v1/sample`)).text();
  await expect.poll(read).not.toContain(gone);
  await visitor.answer('right');
  await page.getByRole('heading', { name: t.sample.changed_title }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await visitor.button(t.quiz.continue).click();
  await visitor.atQuestion(2, 10);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).not.toBe(gone);
  expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('1');

  await page.getByRole('button', { name: t.run.exit }).click();
  await visitor.button(t.run.exit_confirm).click();
  await page.getByRole('heading', { name: t.landing.headline }).waitFor();
  expect(await page.evaluate('sessionStorage.getItem("proveklar.sample")')).toBeNull();
});
