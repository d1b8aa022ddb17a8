import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { addDays } from '#support/factories.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const ADMIN = 'admin@example.no';
const ADMIN_TEXTS = { no: adminNo, en: adminEn };

const stack = useOwnStack();
const browser = useBrowser();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const fill = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => values[name] ?? '');

/** Answers reads of a path with a 403, which the page does not retry. */
const refuse = (page: Page, path: string) =>
  page.route(path, (route) => route.fulfill({ status: 403, json: { error: '', code: 'x' } }));

/** A new learner reports a question, in a quiz that is inserted directly. */
async function report(uuid: string, comment: string): Promise<string> {
  const { identity, database, url } = stack.current;
  const learner = await identity.createPasswordUser();
  const accountId = await addDays(database.pool, learner, 30);
  await database.pool.query(
    `with drawn as (
       insert into quiz (account_id, kind, topic, language, instant_feedback, total)
       values ($1, 'drill', 'Historie', 'no', true, 1) returning id)
     insert into quiz_question (quiz_id, question_id, position)
     select drawn.id, question.id, 0 from drawn, question where uuid = $2`,
    [accountId, uuid],
  );
  const response = await fetch(`${url}/api/v1/questions/${uuid}/feedback`, {
    method: 'POST',
    headers: { authorization: `Bearer ${learner.idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'thumbs_down', reason: 'outdated', comment }),
  });
  expect(response.status).toBe(200);
  return learner.email;
}

beforeEach(() =>
  stack.current.database.pool.query(
    'update settings set price_ore = 14900, service_days = 30; delete from feedback',
  ),
);

describe.each(drawLanguages())('settings and feedback ($language)', (language) => {
  const { t } = language;
  const admin = ADMIN_TEXTS[language.language];
  const { settings, feedback } = admin;

  async function open(path: string): Promise<Visitor> {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await visitor.page.getByRole('link', { name: path, exact: true }).click();
    return visitor;
  }

  test('settings that cannot be loaded or saved show an error, and can be retried', async () => {
    const visitor = await open(admin.shell.tab.users);
    const { page } = visitor;
    await refuse(page, '**/admin/settings');
    await page.getByRole('link', { name: admin.shell.tab.settings }).click();
    const alert = page.getByRole('alert');
    await alert.getByText(admin.shell.failed_load).waitFor();
    await alert
      .getByText(fill(settings.failed.fetch, { status: t.error.status_403 }), { exact: true })
      .waitFor();
    await page.unroute('**/admin/settings');
    await visitor.button(t.actions.retry).click();

    await visitor.fill(settings.field.seller_name, 'Prøveklar AS');
    await page.route('**/admin/settings', (route) => route.abort(), { times: 1 });
    await visitor.button(settings.save).click();
    await alert.getByText(settings.failed.update_title, { exact: true }).waitFor();
    await alert
      .getByText(fill(settings.failed.update, { reason: t.error.network }), { exact: true })
      .waitFor();
    visitor.complaints = [];
    // An organisation number with a wrong check digit: only the server checks that.
    await visitor.fill(settings.field.seller_organisation_number, '123 456 789');
    await visitor.button(settings.save).click();
    await page.getByText(settings.fault.seller_organisation_number).waitFor();
    expect(await page.locator(':focus').getAttribute('name')).toBe('seller_organisation_number');
    expect(await findingsOf(page)).toEqual([]);
    await visitor.fill(settings.field.seller_organisation_number, '923 609 016');
    await visitor.button(settings.save).click();
    await page.getByText(settings.saved).waitFor();
    await page.getByRole('link', { name: settings.see_log }).first().click();
    await page.waitForURL('**/audit?action=settings.updated');
    await stack.current.database.pool.query('update settings set seller_name = null');
  });

  test('an invalid field is marked and keeps its text, and is replaced only after a confirmation', async () => {
    const visitor = await open(admin.shell.tab.settings);
    const { page } = visitor;
    const price = page.getByLabel(settings.field.price, { exact: true });
    const days = page.getByLabel(settings.field.service_days, { exact: true });
    const save = visitor.button(settings.save);
    const decimals = (text: string) => text.replace('.', language.language === 'no' ? ',' : '.');
    await page.getByText(settings.nothing_changed).waitFor();
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    const { replace } = settings;
    await days.fill('3.5');
    await price.fill('gratis');
    await page.getByText(settings.fault.service_days).waitFor();
    expect(await days.inputValue()).toBe('3.5');
    await price.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(fill(replace.typed.price, { written: 'gratis', value: '0' })).waitFor();
    await dialog
      .getByText(fill(replace.typed.service_days, { written: '3.5', value: '30' }))
      .waitFor();
    await dialog.getByText(settings.free.learners).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: replace.keep }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText(settings.fault.price).waitFor();
    expect([await price.inputValue(), await days.inputValue()]).toEqual(['gratis', '3.5']);
    expect(await findingsOf(page)).toEqual([]);

    await price.fill('149');
    await days.fill('');
    await save.click();
    await dialog.getByText(fill(replace.empty.service_days, { value: '30' })).waitFor();
    expect(await dialog.getByText(settings.free.everybody).count()).toBe(0);
    await page.keyboard.press('Escape');
    await days.fill('0');
    await price.fill('-5');
    await save.click();
    await dialog.getByRole('button', { name: replace.action.both }).click();
    await page.getByText(settings.saved).waitFor();
    await expect.poll(() => price.inputValue()).toBe(decimals('0.00'));
    expect(await days.inputValue()).toBe('30');
    await price.fill('149');
    await save.click();
    await expect.poll(() => price.inputValue()).toBe(decimals('149.00'));
    await price.fill('0');
    await save.click();
    await dialog.getByRole('button', { name: settings.free.action }).click();
    await expect.poll(() => price.inputValue()).toBe(decimals('0.00'));
    expect(await save.getAttribute('aria-disabled')).toBe('true');

    await price.fill('149,5');
    await page.getByRole('link', { name: admin.shell.tab.feedback }).click();
    await dialog.getByText(settings.leave.text).waitFor();
    await dialog.getByRole('button', { name: t.actions.cancel }).click();
    expect(await price.inputValue()).toBe('149,5');
    await save.click();
    await expect.poll(() => price.inputValue()).toBe(decimals('149.50'));
    await page.getByRole('link', { name: admin.shell.tab.feedback }).click();
    await heading(page, feedback.title).waitFor();
    const { rows } = await stack.current.database.pool.query('select price_ore from settings');
    expect(rows).toEqual([{ price_ore: 14950 }]);
    expect(visitor.complaints).toEqual([]);
  });

  test('an exam profile whose numbers contradict each other is not saved', async () => {
    const visitor = await open(admin.shell.tab.settings);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const { exams } = settings;
    const name = t.quiz.exam_statsborger;
    await visitor.button(fill(exams.edit_which, { name })).click();
    const field = (label: string) => dialog.getByLabel(label, { exact: true });
    const mark = language.language === 'no' ? '23' : '22';
    await field(exams.field.questions_counted).fill('37');
    await dialog.getByRole('button', { name: settings.save }).click();
    await dialog.getByText(exams.fault.questions_counted).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await field(exams.field.questions_counted).fill('32');
    await field(exams.field.pass_mark).fill(mark);
    await dialog.getByRole('button', { name: settings.save }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText(fill(exams.saved, { name })).waitFor();
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('cell', { name: mark, exact: true }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test('reports arrive live in a table, and are closed and reopened by question', async () => {
    const { rows } = await stack.current.database.pool.query<{ uuid: string; question: string }>(
      `update question set question = 'Hva ' || repeat('om ', 40) || right(uuid::text, 4) || '?'
       where id = (select min(id) from question) returning uuid, question`,
    );
    const { uuid, question } = rows[0]!;
    const visitor = await open(admin.shell.tab.users);
    const { page } = visitor;
    await refuse(page, '**/admin/feedback**');
    await page.getByRole('link', { name: admin.shell.tab.feedback }).click();
    const failed = fill(feedback.failed.fetch, { status: t.error.status_403 });
    await page.getByRole('alert').getByText(failed, { exact: true }).waitFor();
    await visitor.retry('**/admin/feedback**');
    await page.getByText(feedback.none, { exact: true }).waitFor();
    visitor.complaints = [];

    const first = await report(uuid, 'Loven er endret.');
    await page.getByRole('row').filter({ hasText: first }).waitFor();
    const headers = await page.getByRole('columnheader').allInnerTexts();
    const { column } = feedback;
    const specified = [column.date, column.user, column.test, column.topic, column.question];
    expect(headers).toEqual([...specified, column.type, column.status]);
    await page.getByText(feedback.by_question, { exact: true }).click({ timeout: 15_000 });
    await page.waitForURL('**/feedback?view=questions');
    const card = page.getByRole('article', { name: question });
    await card.getByText('Loven er endret.').waitFor();
    const email = await report(uuid, 'Tallet er for gammelt.');
    await visitor.button(fill(feedback.new_one, { number: '1' })).click();
    await card.getByText('Tallet er for gammelt.').waitFor();
    await card.getByText(fill(feedback.reports_other, { number: '2' })).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    await card.getByRole('button', { name: feedback.close_as.fixed }).click();
    await card.getByText(feedback.state.fixed, { exact: true }).waitFor();
    await visitor.button(admin.shell.undo).click();
    await card.getByText(feedback.state.open, { exact: true }).waitFor();
    await card.getByRole('button', { name: feedback.close_as.dismissed }).click();
    await card.getByText(feedback.state.dismissed, { exact: true }).waitFor();
    await page.getByLabel(feedback.status).selectOption('closed');
    await page.waitForURL('**/feedback?view=questions&state=closed');

    const edit = card.getByRole('link', { name: feedback.edit });
    expect(await edit.getAttribute('href')).toMatch(/^\/admin\/dashboard\/questions\/\d+$/u);
    await card.getByRole('link', { name: feedback.see_each }).click();
    const row = page.getByRole('row').filter({ hasText: email });
    await row
      .getByText(`${Array.from(question).slice(0, 80).join('')}…`, { exact: true })
      .waitFor();
    await row.getByText(feedback.state.dismissed, { exact: true }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });
});
