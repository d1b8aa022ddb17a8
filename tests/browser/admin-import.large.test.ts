// Over 400 lines: every way of an import through the page, against one stack.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { type CuttableProxy, startCuttableProxy } from '#support/cuttable-proxy.ts';
import { drawLanguages, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';
import { readWorkbook, rowOf, sheetOf, xlsxOf } from '#support/xlsx.ts';

const ADMIN = 'admin@example.no';
const ADMIN_TEXTS = { no: adminNo, en: adminEn };

const stack = useOwnStack();
const browser = useBrowser();
const drawn = drawLanguages();

const fill = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => String(values[name] ?? ''));

const question = (text: string, more: object = {}) => ({
  language: 'no',
  topic: 'Import i nettleseren',
  question: text,
  answer: 'Riktig',
  incorrect: ['Galt', 'Også galt'],
  ...more,
});

/** A file to choose in the file field. */
const fileOf = (name: string, content: unknown) => ({
  name,
  mimeType: name.endsWith('.csv') ? 'text/csv' : 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});
type ChosenFile = ReturnType<typeof fileOf>;

async function choose(page: Page, file: ChosenFile): Promise<void> {
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('strong').getByText(file.name, { exact: true }).last().waitFor();
}

describe.each(drawn)('importing in the browser ($language)', (language) => {
  const { t } = language;
  const admin = ADMIN_TEXTS[language.language];
  const texts = admin.import;
  const unique = (name: string) => `${name} ${language.language}?`;

  async function openImport(): Promise<Visitor> {
    const visitor = await Visitor.open(
      browser.current,
      stack.current,
      language,
      '/admin/dashboard',
    );
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await visitor.button(texts.choose).waitFor();
    return visitor;
  }

  const imported = (count: number) =>
    fill(count === 1 ? texts.outcome.imported_one : texts.outcome.imported_other, {
      number: count,
    });

  async function questionsLike(text: string): Promise<unknown> {
    const { rows } = await stack.current.database.pool.query<{ validated: boolean }>(
      `select validated from question where question like $1 and retired_at is null`,
      [`${text}%`],
    );
    return rows.map(({ validated }) => validated);
  }

  test('a file is imported, reported row by row, and undone', async () => {
    const visitor = await openImport();
    const { page } = visitor;
    await visitor.button(texts.start).click();
    await page.getByRole('alert').getByText(texts.file_fault.none).waitFor();
    await page.setInputFiles('input[type=file]', fileOf('notes.txt', 'no questions'));
    await page.getByRole('alert').getByText(texts.file_fault.type).waitFor();
    await page.getByText(texts.format_title).click();
    expect(await findingsOf(page)).toEqual([]);

    const rows = [
      question(unique('Hva er et storting')),
      question(unique('Hva er en fylkeskommune')),
      question(unique('Hva er en kommune'), { incorrect: [] }),
      question(unique('Hva er et storting').toUpperCase()),
      'no question',
    ];
    const name = `five rows ${language.language}`;
    await choose(page, fileOf(`${name}.json`, rows));
    await visitor.button(texts.start).click();
    await page.getByRole('status').getByText(imported(2)).waitFor();
    const table = page.getByRole('table');
    await table.getByText(`${texts.field_name.incorrect} ${texts.fault.too_few}`).waitFor();
    await table.getByText(texts.fault.not_an_object).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    // The radio button is covered by its label.
    await page.locator('label', { hasText: texts.report.repeated }).click();
    await table.getByText(fill(texts.report.row_number, { row: 4 })).waitFor();
    expect(await questionsLike('Hva er e')).toContain(false);

    const saved = page.waitForEvent('download');
    await visitor.button(texts.report.download).click();
    const report = await saved;
    expect(report.suggestedFilename()).toBe(`${name}-report.csv`);
    expect(await readFile(await report.path(), 'utf8')).toMatch(
      language.language === 'no' ? /^\uFEFF?rad;/u : /^\uFEFF?row;/u,
    );
    const rejected = page.waitForEvent('download');
    await visitor.button(texts.report.download_rejected).click();
    const mendable = JSON.parse(await readFile(await (await rejected).path(), 'utf8')) as object[];
    expect(mendable).toEqual([
      { ...(rows[2] as object), rejected_because: expect.any(String) },
      { question: 'no question', rejected_because: expect.any(String) },
    ]);

    await visitor.button(texts.undo.button).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(fill(texts.undo.text_other, { number: 2 })).waitFor();
    await dialog.getByRole('button', { name: texts.undo.button }).click();
    await page.getByRole('status').getByText(texts.outcome.undone, { exact: true }).waitFor();
    expect(await questionsLike(unique('Hva er et storting'))).toEqual([]);

    await page.getByRole('link', { name: texts.all_imports }).click();
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByText(texts.state.undone, { exact: true }).waitFor();
    expect(await row.getByText(ADMIN).count()).toBe(1);
    expect(visitor.complaints).toEqual([]);
  });

  test('a workbook is shown first, with its columns to choose, and then imported', async () => {
    const text = unique('Hva er en arbeidsbok');
    const visitor = await openImport();
    const { page } = visitor;
    const rows = [
      ['Språk', 'Tema', 'Spørsmålet', 'Fasit', 'Feil', 'Merknad'],
      ['no', 'Excel', text, 'Riktig', 'Galt', 'Riktig'],
      ['no', 'Excel', '=1+1?', '', 'Æ', 'Ø'],
    ];
    const sheet = sheetOf(rows.map((cells) => rowOf(cells)).join(''));
    const buffer = Buffer.from(xlsxOf({ sheets: { Ark1: sheet, Tomt: sheetOf('') } }));
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const name = `book ${language.language}.xlsx`;
    await choose(page, { name, mimeType, buffer });
    await page.getByRole('table').getByText(text).waitFor();
    await page.getByLabel(texts.preview.sheet, { exact: true }).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    // A second wrong answer in a column that is not known; it repeats the right one.
    const column = page.getByLabel('Merknad', { exact: true });
    expect(await column.inputValue()).toBe('');
    await column.selectOption('incorrect_2');
    const fault = `${fill(texts.field_name.incorrect_one, { number: 2 })} ${texts.fault.same_as_answer}`;
    await page.getByText(fault).waitFor();
    await column.selectOption('explanation');
    await page.getByRole('table').getByText(texts.preview.fine, { exact: true }).waitFor();
    await page.getByRole('table').getByText(texts.fault.missing).waitFor();
    await visitor.button(texts.start).click();
    await page.getByRole('status').getByText(imported(1)).waitFor();
    const { rows: stored } = await stack.current.database.pool.query(
      'select explanation from question where question = $1',
      [text],
    );
    expect(stored).toEqual([{ explanation: 'Riktig' }]);
    await page.locator('label', { hasText: texts.report.warned }).waitFor();
    await page.getByText(fill(texts.report.excel_row, { line: 3 })).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    const rejected = page.waitForEvent('download');
    await visitor.button(texts.report.download_rejected).click();
    const file = await rejected;
    const suffix = { no: 'avvist', en: 'rejected' }[language.language];
    expect(file.suggestedFilename()).toBe(`book ${language.language}-${suffix}.xlsx`);
    const mendable = await readWorkbook(await readFile(await file.path()));
    expect(mendable.headings.slice(0, 6)).toEqual(rows[0]);
    expect(mendable.rows.map(({ cells }) => cells)).toEqual([
      [...rows[2]!, expect.stringContaining(`Fasit ${texts.fault.missing}`)],
    ]);
    expect(visitor.complaints).toEqual([]);
  });

  test('a file is imported as a dry run, and then confirmed', async () => {
    const text = unique('Hvor ligger Prøvestedet');
    const visitor = await openImport();
    const { page } = visitor;
    const csv = `language,topic,question,answer,incorrect_1\nno,Sted,${text},Der,Her\n`;
    await choose(page, fileOf('trial.csv', csv));
    await page.getByLabel(texts.dry_run, { exact: true }).check();
    await visitor.button(texts.start_dry_run).click();
    await page.getByText(fill(texts.outcome.checked_one, { number: 1 })).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    // A later visit shows the dry run that waits for an answer.
    await page.getByRole('link', { name: texts.all_imports }).click();
    await page.getByText(texts.trial_waits).waitFor();
    await page.reload();
    await page.getByRole('link', { name: fill(texts.show_one, { name: 'trial.csv' }) }).click();
    await visitor.button(texts.confirm.button).click();
    await page.getByText(imported(1)).waitFor();
    expect(await questionsLike(text)).toEqual([false]);
    expect(visitor.complaints).toEqual([]);
  });

  test('a language that is not offered gives a warning, and is then offered in the settings', async () => {
    const [code, name, own] = (
      { no: ['ar', 'Arabisk', 'العربية'], en: ['fa', 'Persian', 'فارسی'] } as const
    )[language.language];
    const inWords = language.language === 'no' ? name.toLowerCase() : name;
    const visitor = await openImport();
    const { page } = visitor;
    const text = `${own} ${language.language}؟`;
    const rows = [question(unique('På norsk')), question(text, { language: code })];
    await choose(page, fileOf(`${code}.json`, rows));
    await visitor.button(texts.start).click();
    const languages = `${inWords} (1)`;
    await page.getByText(fill(texts.outcome.not_offered_one, { number: 1, languages })).waitFor();
    const warning = fill(texts.warning.language_not_offered, { language: inWords });
    await page.getByRole('table').getByText(`${texts.field_name.language} ${warning}`).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    await page.goto(`${stack.current.url}/admin/dashboard/questions?language=${code}`);
    const filter = page.getByLabel(admin.questions.filter.language, { exact: true });
    const option = fill(admin.questions.filter.not_offered, { language: name });
    await filter.getByRole('option', { name: option, exact: true }).waitFor({ state: 'attached' });
    await page.getByRole('link', { name: text }).click();
    await page.getByText(admin.questions.not_offered, { exact: true }).waitFor();
    const preview = page.getByRole('region', { name: admin.questions.preview.title });
    await preview.locator(`[lang=${code}][dir=rtl]`).getByText(text).waitFor();
    await preview.getByText(name, { exact: true }).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    await page.goto(`${stack.current.url}/admin/dashboard/settings`);
    await page.locator('summary').click();
    const offer = page.getByRole('switch', {
      name: fill(admin.settings.languages.offer_which, { name }),
    });
    await offer.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(admin.settings.languages.offer.none).waitFor();
    expect(await offer.isChecked()).toBe(false);
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: admin.settings.languages.offer.action }).click();
    await page.getByText(fill(admin.settings.languages.is_offered, { name })).waitFor();
    expect(await offer.isChecked()).toBe(true);
    expect(visitor.complaints).toEqual([]);

    const { email, password } = await newLearner(stack.current);
    const learner = await Visitor.open(browser.current, stack.current, language, '/login');
    await learner.signIn(email, password);
    const choices = learner.page.getByLabel(t.quiz.question_language, { exact: true });
    await choices
      .last()
      .getByRole('option', { name: own, exact: true })
      .waitFor({ state: 'attached' });
    expect(learner.complaints).toEqual([]);
  });

  test('a near-duplicate is retired, restored, or kept', async () => {
    const old = unique('Hvem vedtok Grunnloven på Prøvestedet');
    const text = unique('Hvem vedtok Grunnloven på Prøvested');
    const visitor = await openImport();
    const { page } = visitor;
    const send = async (name: string, row: object) => {
      await choose(page, fileOf(name, [row]));
      await visitor.button(texts.start).click();
      await page.getByText(imported(1)).waitFor();
    };
    const own = { language: language.language };
    await send('old.json', question(old, own));
    await page.getByText(texts.similar.none, { exact: true }).waitFor();
    await page.getByRole('link', { name: texts.all_imports }).click();
    await send('new.json', question(text, own));
    const pairs = page.getByRole('list', { name: texts.similar.list });
    await pairs.getByRole('link', { name: old }).waitFor();
    expect(await pairs.locator('mark').allInnerTexts()).toEqual(['Prøvested', 'Prøvestedet']);
    expect(await findingsOf(page)).toEqual([]);

    await pairs.getByRole('button', { name: texts.similar.retire }).click();
    await page.getByText(texts.similar.all_done, { exact: true }).waitFor();
    // The notice stays while the pointer is on it.
    await visitor.button(admin.shell.undo).hover();
    expect(await questionsLike(text)).toEqual([]);
    const { rows } = await stack.current.database.pool.query<{ id: number; into_id: number }>(
      `select id, into_id from question join question_merge on question_id = question.id
       where question = $1`,
      [text],
    );
    const [merged] = rows;
    const retired = await page.context().newPage();
    await retired.goto(`${stack.current.url}/admin/dashboard/questions/${merged!.id}`);
    const stays = fill(admin.questions.title_one, { id: merged!.into_id });
    await retired.getByRole('link', { name: stays }).waitFor();
    expect(await findingsOf(retired)).toEqual([]);
    await retired.close();
    await visitor.button(admin.shell.undo).click();
    await pairs.getByRole('button', { name: texts.similar.keep }).click();
    await page.getByText(texts.similar.all_done, { exact: true }).waitFor();
    expect(await questionsLike(text)).toEqual([false]);
    expect(visitor.complaints).toEqual([]);
  });

  test('rows with another answer are decided about in the report', async () => {
    const [first, second, third] = ['En', 'To', 'Tre'].map((name) => unique(`${name} avgjøres`));
    const visitor = await openImport();
    const { page } = visitor;
    const send = async (name: string, rows: object[], outcome: string) => {
      await choose(page, fileOf(name, rows));
      await visitor.button(texts.start).click();
      await page.getByText(outcome).waitFor();
    };
    await send('first.json', [question(first!), question(second!)], imported(2));
    await page.getByRole('link', { name: texts.all_imports }).click();
    const other = { answer: 'Et annet svar' };
    await send('other.json', [question(first!, other), question(second!, other)], imported(0));
    await page.getByText(fill(texts.outcome.differing_other, { number: 2 })).waitFor();
    expect(await page.getByText(texts.outcome.nothing_new).count()).toBe(0);
    expect(await findingsOf(page)).toEqual([]);

    const row = page.getByRole('row').filter({ hasText: first! });
    await row.getByRole('button', { name: texts.decide_row.update }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: texts.decide_row.update }).click();
    await page.getByText(fill(texts.decide_row.updated, { row: 1 })).waitFor();

    // The list may still have the row that was decided.
    const left = page.getByRole('row').filter({ hasText: second! });
    await left.getByRole('button', { name: texts.decide_row.add }).click();
    await dialog.getByRole('button', { name: texts.decide_row.save }).click();
    await dialog.getByText(texts.decide_row.same).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByLabel(texts.decide_row.text).fill(third!);
    await dialog.getByRole('button', { name: texts.decide_row.save }).click();
    await page.getByText(imported(1)).waitFor();
    const { rows: stored } = await stack.current.database.pool.query(
      'select answer, version from question where question = any ($1) order by id',
      [[first, second, third]],
    );
    expect(stored).toEqual([
      { answer: 'Et annet svar', version: 2 },
      { answer: 'Riktig', version: 1 },
      { answer: 'Et annet svar', version: 1 },
    ]);
    expect(visitor.complaints).toEqual([]);
  });

  test('an unreadable file is refused, with the position and what to do', async () => {
    const visitor = await openImport();
    const { page } = visitor;
    const row = JSON.stringify(question('?'));
    await choose(page, fileOf('broken.json', `[${row}, {"a" 1}]`));
    await visitor.button(texts.start).click();
    const alert = page.getByRole('alert');
    await alert.getByText(texts.failed_title).waitFor();
    const what = alert.getByText(texts.refusal.not_json.what);
    expect(await what.innerText()).toContain(
      fill(texts.place.line, { line: 1, column: row.length + 9 }),
    );
    await alert.getByText('{"a" 1}').waitFor();
    await alert.getByText(texts.refusal.not_json.do).waitFor();
    await alert.getByText(texts.outcome.nothing_kept).waitFor();
    expect(await findingsOf(page)).toEqual([]);
  });
});

describe.each(drawn)('an interrupted upload in the browser ($language)', (language) => {
  const { t } = language;
  const texts = ADMIN_TEXTS[language.language].import;
  const name = `upload ${language.language}.json`;
  // Larger than what is held of it, and than the buffers between the browser and the gateway.
  const rows = Array.from({ length: 3_000 }, (_, place) =>
    question(`Er spørsmål ${place} sendt (${language.language})?`, {
      explanation: 'Fordi. '.repeat(400),
    }),
  );
  const imported = fill(texts.outcome.imported_other, {
    number: language.language === 'no' ? '3 000' : '3,000',
  });
  const HELD_BYTES = 2_000_000;
  let proxy: CuttableProxy;
  beforeEach(async () => {
    proxy = await startCuttableProxy(stack.current.url);
  });
  afterEach(() => proxy.close());

  async function openImport(): Promise<Visitor> {
    const product = { ...stack.current, url: proxy.url };
    const visitor = await Visitor.open(browser.current, product, language, '/admin/dashboard');
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await visitor.button(texts.choose).waitFor();
    return visitor;
  }

  /** Starts the upload; its first two megabytes arrive. */
  async function startHeld(visitor: Visitor): Promise<void> {
    await choose(visitor.page, fileOf(name, rows));
    const held = proxy.holdUploadAfter(HELD_BYTES);
    await visitor.button(texts.start).click();
    await held;
    await expect.poll(async () => (await newest()).bytes_received).toBeGreaterThan(1_000_000);
  }

  async function newest() {
    const { rows: found } = await stack.current.database.pool.query<{
      id: string;
      state: string;
      bytes_received: number;
      sender: number;
      imported: number;
    }>(
      `select id, state, bytes_received::int, sender, imported from question_import
       order by created_at desc limit 1`,
    );
    return found[0]!;
  }

  /** The bank has each question once; the next language's test begins without them. */
  async function expectImported(visitor: Visitor): Promise<void> {
    await visitor.page.getByText(imported).waitFor();
    expect(await newest()).toMatchObject({ state: 'completed', imported: 3_000 });
    await visitor.button(texts.undo.button).click();
    const dialog = visitor.page.getByRole('dialog');
    await dialog.getByRole('button', { name: texts.undo.button }).click();
    await visitor.page.getByText(texts.outcome.undone, { exact: true }).waitFor();
  }

  test('goes on after the connection was cut in the middle, and says so', async () => {
    const visitor = await openImport();
    const { page } = visitor;
    await startHeld(visitor);
    proxy.cut();
    await page.getByRole('status').getByText(texts.resume.waiting).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    const before = (await newest()).bytes_received;
    proxy.restore();
    await expectImported(visitor);
    expect(before).toBeGreaterThan(1_000_000);
    expect((await newest()).sender).toBeGreaterThanOrEqual(2);
  });

  test('goes on after the gateway was killed', async () => {
    const visitor = await openImport();
    await startHeld(visitor);
    const { id } = await newest();
    process.kill(stack.current.pid('gateway'), 'SIGKILL');
    proxy.restore();
    await expectImported(visitor);
    expect(await newest()).toMatchObject({ id, state: 'undone' });
  });

  test('goes on after the tab was closed, with the same file and not with a changed one', async () => {
    const first = await openImport();
    await startHeld(first);
    const { id } = await newest();
    await first.page.close();
    // What the proxy holds is lost; otherwise the gateway would wait a minute for the rest.
    proxy.cut();
    proxy.restore();
    await expect.poll(async () => (await newest()).state).toBe('paused');

    const visitor = await openImport();
    const { page } = visitor;
    const changed = rows.with(
      0,
      question(`Er spørsmål 0 sendT (${language.language})?`, {
        explanation: 'Fordi. '.repeat(400),
      }),
    );
    await choose(page, fileOf(name, changed));
    await visitor.button(texts.resume.button).click();
    await page.getByRole('alert').getByText(texts.file_changed).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect((await newest()).state).toBe('paused');

    const again = page.getByLabel(texts.resume.choose);
    await again.setInputFiles(fileOf(name, rows.slice(1)));
    await page.getByRole('alert').getByText(texts.resume.other_file.split('.')[1]!).waitFor();
    await again.setInputFiles(fileOf(name, rows));
    await expectImported(visitor);
    expect(await newest()).toMatchObject({ id });
  });
});

test('a running import is shown after a reload, and can be cancelled', async () => {
  const [language] = LANGUAGES;
  const texts = adminNo.import;
  const { pool } = stack.current.database;
  const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
  const { page } = visitor;
  await visitor.button(language.t.auth.google).click();
  await visitor.fill(language.t.fields.email, ADMIN);
  await visitor.button(language.t.auth.emulated_google_continue).click();
  await page.getByRole('link', { name: adminNo.shell.tab.import }).click();
  await visitor.button(texts.choose).waitFor();

  // The rows of a file wait for this lock until it is released.
  const holder = await pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query('begin');
  await holder.query('lock table question in exclusive mode');
  const rows = Array.from({ length: 20 }, (_, n) => question(`Venter nummer ${n}?`));
  await choose(page, fileOf('waiting.json', rows));
  await visitor.button(texts.start).click();
  await page.getByText(texts.note_sent).waitFor();
  const sent = page.getByRole('progressbar', { name: texts.sent });
  expect(await sent.getAttribute('aria-valuenow')).toBe('100');

  await page.reload();
  await page.getByText(texts.note_sent).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole('link', { name: texts.all_imports }).click();
  await page.getByRole('link', { name: fill(texts.show_one, { name: 'waiting.json' }) }).click();
  await visitor.button(texts.cancel.button).click();
  await page.getByRole('dialog').getByRole('button', { name: texts.cancel.button }).click();
  await page.getByRole('status').getByText(texts.outcome.cancelled).waitFor();
  await holder.query('rollback');
  await expect
    .poll(async () => {
      const found = await pool.query(`select from question where question like 'Venter nummer%'`);
      return found.rowCount;
    })
    .toBe(0);
  expect(visitor.complaints).toEqual([]);
});
