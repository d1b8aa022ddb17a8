import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { importGlossary } from '@proveklar/services/glossary/glossary-file.ts';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { addQuestions } from '#support/factories.ts';
import {
  drawLanguages,
  inQuiz,
  type JourneyLanguage,
  LANGUAGES,
  Visitor,
} from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

const ADMIN = 'admin@example.no';
const ADMIN_TEXTS = { no: adminNo, en: adminEn };

const stack = useStack();
const browser = useBrowser();

const fill = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => String(values[name] ?? ''));

// Words of no other question.
const WORDS = [
  'tariffprøve;tariffprøven;En avtale som bare finnes her.;a trial agreement',
  'lønnsprøve;;Noe du får hver måned.;a trial wage',
  'streikeprøve;;Alle reiser hjem samtidig.;a trial strike',
];

/** A learner at the only question of a drill. */
async function atQuestion(language: JourneyLanguage, asked: string) {
  const db = stack.current.database.pool;
  await importGlossary(db, 'test', ['word;forms;norwegian;english', ...WORDS].join('\n'));
  // The gateway keeps a glossary for seconds, and the browser for minutes.
  const served = async () => (await fetch(`${stack.current.url}/api/v1/glossary`)).text();
  await expect.poll(served).toContain('tariffprøven');
  const topic = `Ordliste ${crypto.randomUUID()}`;
  const question = {
    language: 'no',
    topic,
    question: `${asked} (${topic.slice(-6)})`,
    answer: 'Etter en lønnsprøve i mai',
    incorrect: ['Etter en lang ferie i mai', 'Etter en kort ferie i mai'],
    explanation: 'Før den kommer en streikeprøve.',
  };
  await addQuestions(db, [question], topic);
  const { visitor } = await inQuiz(browser.current, stack.current, language, { topic });
  return visitor;
}

const word = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true });
const explanation = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

describe('a hard word', () => {
  test('is explained on a tap, in the question, below the options and in the explanation', async () => {
    const visitor = await atQuestion(LANGUAGES[0], 'Når gjelder tariffprøven på fabrikken?');
    const { page, t } = visitor;
    await page.setViewportSize({ width: 360, height: 640 });
    const inQuestion = page.getByRole('heading', { level: 1 }).getByRole('button');
    await inQuestion.waitFor();
    expect(await inQuestion.innerText()).toBe('tariffprøven');
    const { height } = (await inQuestion.boundingBox())!;
    expect(height).toBeGreaterThanOrEqual(24);

    await inQuestion.click();
    const box = explanation(page, 'tariffprøve');
    await box.getByText('En avtale som bare finnes her.').waitFor();
    await box.getByText('a trial agreement').waitFor();
    expect(await inQuestion.getAttribute('aria-expanded')).toBe('true');
    const { x, width } = (await box.boundingBox())!;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(360);
    expect(await findingsOf(page)).toEqual([]);
    await page.getByText(t.glossary.words).click();
    await box.waitFor({ state: 'hidden' });
    // The browser hides the box, and then tells the page.
    await expect.poll(() => inQuestion.getAttribute('aria-expanded')).toBe('false');

    const chip = page.getByRole('list', { name: t.glossary.words }).getByRole('button');
    expect(await chip.allInnerTexts()).toEqual(['lønnsprøve']);
    await chip.click();
    await explanation(page, 'lønnsprøve').getByText('Noe du får hver måned.').waitFor();
    await visitor.button(t.glossary.close).click();
    await explanation(page, 'lønnsprøve').waitFor({ state: 'hidden' });

    await page.getByText('Etter en lang ferie i mai', { exact: true }).click();
    await word(page, 'streikeprøve').click();
    await explanation(page, 'streikeprøve').getByText('Alle reiser hjem samtidig.').waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test('stays on a line with the punctuation at it, at any width', async () => {
    const visitor = await atQuestion(LANGUAGES[0], 'Hvor lenge gjelder «tariffprøven»? Svar');
    const { page } = visitor;
    await page.getByRole('heading', { level: 1 }).getByRole('button').waitFor();
    for (let width = 320; width <= 440; width += 4) {
      await page.setViewportSize({ width, height: 640 });
      const tops = await page.evaluate<number[]>(`(() => {
        const word = document.querySelector('h1 button');
        const range = document.createRange();
        const topOf = (from, to) => {
          range.setStart(...from);
          range.setEnd(...to);
          return Math.round(range.getBoundingClientRect().top);
        };
        const [before, inside, after] = [word.previousSibling, word.firstChild, word.nextSibling];
        return [
          topOf([before, 0], [before, before.length]),
          topOf([inside, 0], [inside, inside.length]),
          topOf([after, 0], [after, 1]),
          topOf([after, 1], [after, 2]),
        ];
      })()`);
      expect(new Set(tops).size, `${width} px: ${tops.join()}`).toBe(1);
    }
  });

  test('is explained by keyboard: letters choose nothing, Escape leads back to the word', async () => {
    const visitor = await atQuestion(LANGUAGES[1], 'Når gjelder tariffprøven på fabrikken?');
    const { page, t } = visitor;
    await word(page, 'tariffprøven').waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('tariffprøven');
    await page.keyboard.press('Enter');
    const box = explanation(page, 'tariffprøve');
    await box.getByText('a trial agreement').waitFor();
    const label = () => page.evaluate<string>('document.activeElement.ariaLabel');
    await expect.poll(label).toBe(t.glossary.close);
    await page.keyboard.press('a');
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden' });
    expect(await focused()).toBe('tariffprøven');
    expect(await page.locator('button[aria-pressed=true]').count()).toBe(0);
    // Elsewhere the letter does choose.
    await page.keyboard.press('a');
    await page.locator('button[aria-pressed=true]').waitFor();
  });

  test('is explained only after the answer where the question asks for it', async () => {
    const visitor = await atQuestion(LANGUAGES[0], 'Hva er en tariffprøve?');
    const { page, t } = visitor;
    await page.getByRole('list', { name: t.glossary.words }).waitFor();
    expect(await word(page, 'tariffprøve').count()).toBe(0);
    await page.getByText('Etter en lang ferie i mai', { exact: true }).click();
    await word(page, 'tariffprøve').waitFor();
  });
});

describe.each(drawLanguages())('the glossary in the portal ($language)', (language) => {
  const { t } = language;
  const texts = ADMIN_TEXTS[language.language].glossary;
  const id = language.language;
  const own = `portalord${id}`;

  async function openGlossary(): Promise<Visitor> {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await visitor.page.getByRole('link', { name: ADMIN_TEXTS[id].shell.tab.glossary }).click();
    return visitor;
  }

  test('imports a file, names its bad row, and saves, changes, exports and deletes words', async () => {
    const visitor = await openGlossary();
    const { page } = visitor;
    await page.getByRole('heading', { level: 1, name: texts.title }).waitFor();

    await visitor.button(texts.import.open).first().click();
    await visitor.button(texts.import.action).click();
    await page.getByText(texts.import.no_file).waitFor();
    const csv = (rows: string[]) => ({
      name: 'ordliste.csv',
      mimeType: 'text/csv',
      // As Excel saves "CSV" on Windows.
      buffer: Buffer.from(['word;norwegian;english', ...rows].join('\r\n'), 'latin1'),
    });
    await page.setInputFiles('input[type=file]', {
      ...csv([]),
      buffer: Buffer.from('ord;norsk;engelsk\r\n'),
    });
    await visitor.button(texts.import.action).click();
    await page.getByText(texts.import.refused.csv_header).waitFor();
    const rows = [`${own};En prøve på norsk.;a trial`, `${own}rad;;a row`];
    await page.setInputFiles('input[type=file]', csv(rows));
    await visitor.button(texts.import.action).click();
    await page.getByText(fill(texts.import.rejected_one, { count: 1 })).waitFor();
    const bad = page.getByRole('row', { name: `${own}rad` });
    expect(await bad.getByRole('cell').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining(`norwegian: ${texts.import.fault.missing}`)]),
    );
    expect(await findingsOf(page)).toEqual([]);
    await visitor.button(texts.import.done).click();

    await visitor.fill(texts.search, own);
    await page.getByText(fill(texts.total_match_one, { n: 1 }), { exact: true }).waitFor();
    await page.getByText('En prøve på norsk.').waitFor();
    await visitor.button(fill(texts.edit_which, { word: own })).click();
    await visitor.fill(texts.field.word, 'a/b');
    await visitor.button(texts.save).click();
    await page.getByText(texts.faulty).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    // The field that is corrected first keeps the focus, though one above it is invalid.
    await page.getByLabel(texts.field.english, { exact: true }).pressSequentially(' is');
    expect(await page.locator(':focus').inputValue()).toMatch(/ is$/);
    await visitor.fill(texts.field.english, 'a trial');
    await visitor.fill(texts.field.word, own);
    await visitor.fill(texts.field.forms, `${own}et, ${own}ene`);
    await visitor.button(texts.save).click();
    await page.getByText(`${own}et, ${own}ene`).waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      visitor.button(texts.export).click(),
    ]);
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toContain(`\r\n${own};${own}et|${own}ene;En prøve på norsk.;a trial\r\n`);

    expect(await findingsOf(page)).toEqual([]);
    await visitor.button(fill(texts.delete_which, { word: own })).click();
    await visitor.button(texts.delete_action).click();
    await page.getByText(texts.none_found, { exact: true }).waitFor();
    await visitor.button(texts.clear).click();
    expect(visitor.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  test('gets the words of the question bank, and removes them', async () => {
    const { pool } = stack.current.database;
    const visitor = await openGlossary();
    const { page } = visitor;
    // The seed has brought the others.
    await pool.query(`delete from glossary_entry where word = 'abort'`);
    await visitor.button(texts.bank.bring).click();
    const dialog = page.getByRole('dialog');
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: texts.bank.bring }).click();
    await page.getByText(fill(texts.import.created_one, { count: 1 })).waitFor();
    await page.getByRole('row', { name: 'abort' }).waitFor();
    await visitor.button(texts.bank.undo).click();
    await dialog.getByRole('button', { name: texts.bank.undo }).click();
    await page.getByText(fill(texts.bank.undone_one, { count: 1 })).waitFor();
    await visitor.button(texts.bank.undo).waitFor({ state: 'detached' });
    expect(visitor.complaints).toEqual([]);
  });

  test('says when it cannot be read, and tries again', async () => {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    const { page } = visitor;
    await page.route('**/api/v1/admin/glossary?*', (route) =>
      route.fulfill({ status: 403, json: { error: '', code: 'x' } }),
    );
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await page.getByRole('link', { name: ADMIN_TEXTS[id].shell.tab.glossary }).click();
    await page.getByText(fill(texts.failed.fetch, { status: t.error.status_403 })).waitFor();
    await page.unrouteAll();
    await visitor.button(t.actions.retry).click();
    await page.getByRole('table', { name: texts.title }).waitFor();
  });
});
