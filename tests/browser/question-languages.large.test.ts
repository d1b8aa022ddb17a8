import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { layoutFaultsOf } from '#support/layout.ts';
import { LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const stack = useOwnStack();
const browser = useBrowser();
const [norwegian, english] = LANGUAGES;
const { t } = norwegian;

const fill = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => String(values[name] ?? ''));
const query = (text: string, values: unknown[] = []) =>
  stack.current.database.pool.query<Record<string, unknown>>(text, values);

async function enter(): Promise<Visitor> {
  const { email, password } = await newLearner(stack.current, { autoAdvance: false });
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/login');
  await visitor.signIn(email, password);
  return visitor;
}

/** The card of a kind of quiz on the home screen. */
const card = (page: Page, title: string) => page.getByRole('region', { name: title });

const attributes = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element: { lang: string; dir: string }) => [element.lang, element.dir]);

const SHOTS = process.env.LANGUAGE_SCREENS;
async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

test('a practice test in Nynorsk says what is in bokmål, before and in the test', async () => {
  // Four questions are left, so that a test needs others. Each topic has four or five in it.
  await query(
    `update question set validated = false where language = 'nn' and id not in
       (select id from question where language = 'nn' and topic = 'Historie' order by id limit 4)`,
  );
  await query('insert into bank_revision default values');
  const visitor = await enter();
  const { page } = visitor;
  const {
    rows: [bank],
  } = await query(`select count(*)::text as total from question where language = 'no'`);
  const total = bank!.total as string;
  const words = { language: 'nynorsk', fallback: 'bokmål', questions: 4, total };

  const drill = card(page, t.quiz.drill_title);
  await drill.getByLabel(t.quiz.question_language).selectOption('nn');
  await drill.getByText(fill(t.coverage.topic_other, { ...words, count: 4 })).waitFor();
  await drill.getByLabel(t.quiz.topic, { exact: true }).selectOption('all');
  await drill.getByText(fill(t.coverage.of_bank, words), { exact: true }).waitFor();

  const practice = card(page, t.quiz.practice_test);
  await practice.locator('summary').last().click();
  await practice.getByLabel(t.quiz.question_language).selectOption('nn');
  await practice.getByText(fill(t.coverage.of_bank, words)).waitFor();
  await practice.getByText(fill(t.coverage.test, words)).waitFor();
  expect(await practice.getByText(t.quiz.test_in_norwegian).count()).toBe(0);
  expect(await findingsOf(page)).toEqual([]);
  await shoot(page, 'nn-home');

  await visitor.button(t.quiz.start_practice).click();
  await page.waitForURL(/\/quiz\/[0-9a-f-]{36}$/);
  await visitor.atQuestion(1, 38);
  const { rows } = await query(
    `select question.question, language, translation_group as "group" from quiz_question
       join question on question.id = question_id where quiz_id = $1 order by position`,
    [page.url().split('/').at(-1)],
  );
  const nynorsk = rows.filter(({ language }) => language === 'nn');
  expect(nynorsk).toHaveLength(4);
  expect(new Set(rows.map(({ group }) => group)).size).toBe(38);
  await page.getByText(fill(t.coverage.in_test_other, { ...words, count: 4, total: 38 })).waitFor();

  // Each question says in its own attributes, and in words, in which language it is.
  const note = page.getByText(fill(t.coverage.question, { language: 'bokmål' }));
  const seen = new Set<unknown>();
  for (const [index, { language }] of rows.entries()) {
    await visitor.atQuestion(index + 1, 38);
    seen.add(language);
    const lang = language === 'no' ? 'nb' : 'nn';
    expect(await attributes(page, 'h1')).toEqual([lang, 'ltr']);
    expect(await attributes(page, 'div[role=group]:has(button[data-look])')).toEqual([lang, 'ltr']);
    expect(await note.count()).toBe(language === 'no' ? 1 : 0);
    if (index === 0) await shoot(page, 'nn-test');
    if (seen.size === 2) break;
    await visitor.button(t.run.next).click();
  }
  expect(seen).toEqual(new Set(['no', 'nn']));
  expect(await page.locator('html').getAttribute('lang')).toBe('nb');
  expect(await findingsOf(page)).toEqual([]);
  expect(await layoutFaultsOf(page)).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

test('without a choice, a test is in the language of the page, and the citizenship test in Norwegian', async () => {
  const { email, password } = await newLearner(stack.current, {});
  const visitor = await Visitor.open(browser.current, stack.current, english, '/login');
  await visitor.signIn(email, password);
  const { page } = visitor;
  const words = english.t.quiz;
  const practice = card(page, words.practice_test);
  await practice.locator('summary').last().click();
  const language = practice.getByLabel(words.question_language);
  await expect.poll(() => language.inputValue()).toBe('en');
  await practice.getByLabel(words.exam_statsborger).check();
  await expect.poll(() => language.inputValue()).toBe('no');
  await language.selectOption('en');
  await practice.getByText(words.test_in_norwegian).waitFor();
  await practice.getByLabel(words.exam_samfunnskunnskap).check();

  await visitor.button(words.start_practice).click();
  await page.waitForURL(/\/quiz\/[0-9a-f-]{36}$/);
  await visitor.atQuestion(1, 38);
  const { rows } = await query(`select language from quiz where id = $1`, [
    page.url().split('/').at(-1),
  ]);
  expect(rows).toEqual([{ language: 'en' }]);
});

const ARABIC = {
  language: 'ar',
  topic: 'جغرافيا',
  question: 'ما هي عاصمة النرويج؟',
  answer: 'أوسلو',
  incorrect: ['بيرغن', 'تروندهايم', 'ستافانغر'],
  incorrect_reasons: [
    'بيرغن مدينة كبيرة في غرب النرويج.',
    'تروندهايم مدينة في وسط النرويج.',
    'ستافانغر مدينة في جنوب غرب النرويج.',
  ],
  explanation: 'أوسلو هي عاصمة النرويج وأكبر مدينة فيها.',
};

test('a question in Arabic is imported, offered, and answered from right to left on a Norwegian screen', async () => {
  const admin = await Visitor.open(browser.current, stack.current, norwegian, '/admin/dashboard');
  await admin.button(t.auth.google).click();
  await admin.fill(t.fields.email, 'admin@example.no');
  await admin.button(t.auth.emulated_google_continue).click();
  await admin.button(adminNo.import.choose).waitFor();
  await admin.page.setInputFiles('input[type=file]', {
    name: 'arabisk.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify([ARABIC])),
  });
  await admin.button(adminNo.import.start).click();
  await admin.page.getByText(fill(adminNo.import.outcome.imported_one, { number: 1 })).waitFor();
  await shoot(admin.page, 'ar-import');
  await query(`update question set validated = true where language = 'ar'`);
  await query('insert into bank_revision default values');

  await admin.page.getByRole('link', { name: adminNo.shell.tab.settings }).click();
  const row = admin.page.getByRole('row').filter({ hasText: 'العربية' });
  await row.getByRole('switch').click();
  const dialog = admin.page.getByRole('dialog');
  await dialog.getByRole('button', { name: adminNo.settings.languages.offer.action }).click();
  await admin.page
    .getByText(fill(adminNo.settings.languages.is_offered, { name: 'Arabisk' }))
    .waitFor();
  // The list names the fallback of Nynorsk.
  const nynorsk = admin.page.getByRole('row').filter({ hasText: 'Nynorsk' });
  await nynorsk.getByText('Norsk', { exact: true }).waitFor();
  await shoot(admin.page, 'ar-settings');
  expect(await findingsOf(admin.page)).toEqual([]);

  const visitor = await enter();
  const { page } = visitor;
  const drill = card(page, t.quiz.drill_title);
  await drill.getByLabel(t.quiz.question_language).selectOption('ar');
  await drill
    .locator(`option[value="${ARABIC.topic}"][lang=ar][dir=rtl]`)
    .waitFor({ state: 'attached' });
  await visitor.startDrill();
  await visitor.atQuestion(1, 1);
  for (const part of ['h1', 'div[role=group]:has(button[data-look])', 'header span[lang]']) {
    expect(await attributes(page, part)).toEqual(['ar', 'rtl']);
  }
  const html = page.locator('html');
  expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['nb', null]);
  // The letter stands before the text, which begins on the right.
  const option = page.locator('[data-look]', { hasText: ARABIC.answer });
  const [letter, text] = [option.locator('span').nth(0), option.locator('span').nth(1)];
  expect((await letter.boundingBox())!.x).toBeGreaterThan((await text.boundingBox())!.x);
  // Both keep their distance from the nearest border.
  const box = (await option.boundingBox())!;
  const letterBox = (await letter.boundingBox())!;
  expect(Math.round(box.x + box.width - letterBox.x - letterBox.width)).toBe(14);
  await shoot(page, 'ar-question');

  // By the letter of a wrong option, on a keyboard with the Arabic layout: its A is ش.
  const letters = await page.locator('[data-look]').allInnerTexts();
  const wrong = letters.findIndex((shown) => shown.includes(ARABIC.incorrect[0]!));
  const press = { key: 'شلؤي'.charAt(wrong), code: `Key${'ABCD'.charAt(wrong)}`, bubbles: true };
  await page.evaluate(
    `document.dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify(press)}))`,
  );
  await page.getByText(ARABIC.explanation).waitFor();
  for (const shown of [ARABIC.explanation, ARABIC.incorrect_reasons[0]!]) {
    const closest = page.getByText(shown).first().locator('xpath=ancestor-or-self::*[@lang][1]');
    expect(await closest.getAttribute('lang')).toBe('ar');
    expect(await closest.getAttribute('dir')).toBe('rtl');
  }
  const verdict = page.locator('[data-look=wrong] [lang=nb]');
  expect(await verdict.getAttribute('dir')).toBe('ltr');
  expect(await findingsOf(page)).toEqual([]);
  expect(await layoutFaultsOf(page)).toEqual([]);
  await shoot(page, 'ar-answered');
  await page.setViewportSize({ width: 360, height: 740 });
  await shoot(page, 'ar-answered-phone');
  expect(await layoutFaultsOf(page)).toEqual([]);

  await page.keyboard.press('Enter');
  await page.waitForURL('**/result');
  await page
    .getByRole('button', { name: t.result.show_wrong_one.replace('{{count}}', '1') })
    .click();
  const asked = page.getByRole('heading', { level: 3, name: ARABIC.question });
  await asked.waitFor();
  expect(await asked.getAttribute('dir')).toBe('rtl');
  // From the right border, like the explanation below it.
  const ends = [asked, page.getByText(ARABIC.explanation)].map(async (part) => {
    const { x, width } = (await part.boundingBox())!;
    return Math.round(x + width);
  });
  const [heading, explanation] = await Promise.all(ends);
  expect(heading).toBe(explanation);
  expect(await findingsOf(page)).toEqual([]);
  await shoot(page, 'ar-result');
  expect(visitor.complaints).toEqual([]);
});

test('today’s practice in a language that the learner hardly uses says so, and leads back', async () => {
  const visitor = await enter();
  const { page } = visitor;
  await visitor.startDrill();
  await visitor.atQuestion(1, 10);
  await visitor.answer('right');
  await page.goto(`${stack.current.url}/quiz`);
  const today = card(page, t.quiz.today);
  await today.getByRole('button', { name: t.learning.go_on }).waitFor();
  const words = { language: 'engelsk', usual: 'norsk' };
  const notice = today.getByText(fill(t.learning.other_language, words), { exact: true });
  expect(await notice.count()).toBe(0);

  // The language of one quiz is that of this quiz alone.
  const drill = card(page, t.quiz.drill_title);
  await drill.getByLabel(t.quiz.question_language).selectOption('en');
  await drill.getByLabel(t.quiz.topic, { exact: true }).selectOption('History');
  expect(await notice.count()).toBe(0);

  await today.locator('summary').first().click();
  const language = today.getByLabel(t.quiz.question_language);
  await language.selectOption('en');
  await notice.waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await visitor.button(fill(t.learning.practise_in, words)).click();
  await notice.waitFor({ state: 'hidden' });
  expect(await language.inputValue()).toBe('no');
  expect(visitor.complaints).toEqual([]);
});
