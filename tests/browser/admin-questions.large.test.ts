// Over 400 lines: an editor works on one bank from test to test.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { editQuestion } from '@proveklar/services/questions/edit-question.ts';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { createQuestions } from '#support/factories.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, inQuiz, LANGUAGES, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const ADMIN = 'admin@example.no';
const ADMIN_TEXTS = { no: adminNo, en: adminEn };

const stack = useOwnStack();
const browser = useBrowser();

const fill = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => String(values[name] ?? ''));

describe.each(drawLanguages())('questions for an administrator ($language)', (language) => {
  const { t } = language;
  const admin = ADMIN_TEXTS[language.language];
  const { questions: q, quality } = admin;
  const topic = `Prøve ${language.language}`;
  let visitor: Visitor;
  let page: Page;

  beforeAll(() =>
    createQuestions(stack.current.database.pool, {
      topic,
      language: language.language,
      count: 25,
    }),
  );

  /** Opens a page of the portal, signed in. */
  async function open(path: string): Promise<void> {
    visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    ({ page } = visitor);
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await page.waitForURL('**/admin/dashboard/home');
    await page.goto(`${stack.current.url}/admin/dashboard/${path}`);
  }
  const ofTopic = (more = '') => `questions?topic=${encodeURIComponent(topic)}${more}`;
  const row = (n: number) =>
    page.getByRole('row').filter({ hasText: `${topic} ${language.language} ${n}?` });
  const total = (count: number) =>
    page.getByText(fill(q.total_match_other, { n: count }), { exact: true }).waitFor();
  const button = (name: string, exact = true) => page.getByRole('button', { name, exact });
  async function read(n: number) {
    const { rows } = await stack.current.database.pool.query(
      'select id, validated, topic, question, version, answer, incorrect from question where question = $1',
      [`${topic} ${language.language} ${n}?`],
    );
    return rows[0];
  }
  /** Lets the next call that matches fail, and waits for the message. */
  async function failing(pattern: string, act: () => Promise<unknown>, said: string) {
    await page.route(pattern, (route) => route.abort());
    await act();
    await page.getByText(said).first().waitFor();
    await page.unroute(pattern);
    visitor.complaints = [];
  }

  test('are found by filters that the address keeps, and page by page', async () => {
    await open(ofTopic());
    await total(25);
    expect(await findingsOf(page)).toEqual([]);
    const arriving = Promise.withResolvers<void>();
    await page.route(/\/api\/.*[?&]page=2/, async (route) => {
      await arriving.promise;
      await route.fallback();
    });
    await button(fill(admin.shell.page, { page: 2 })).click();
    await page.waitForURL('**&page=2');
    // The first page stays readable until the second arrives.
    await page.locator('[aria-busy]').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    arriving.resolve();
    await expect.poll(() => page.getByRole('row').count()).toBe(6);
    await visitor.fill(q.filter.search, `${language.language} 24?`);
    await page.getByText(fill(q.total_match_one, { n: 1 }), { exact: true }).waitFor();
    await row(24).waitFor();
    expect(new URL(page.url()).searchParams.has('page')).toBe(false);
    await page.reload();
    await row(24).waitFor();

    await page.getByLabel(q.filter.validation, { exact: true }).selectOption('pending');
    await page.getByText(q.none_match, { exact: true }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.goBack();
    await row(24).waitFor();
    await page.getByText(q.filter.more, { exact: true }).click();
    await visitor.fill(q.filter.min_correct, '101');
    await page.getByText(q.filter.percent_fault).waitFor();
    await visitor.fill(q.filter.min_correct, '100');
    await page.getByText(q.none_match, { exact: true }).waitFor();
    await button(q.filter.clear).first().click();
    await page.getByRole('row').nth(20).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(visitor.complaints).toEqual([]);
  });

  test('show a failed read or action, which can be retried', async () => {
    await open('');
    const status = t.error.status_network;
    const reason = t.error.network;
    const reads = {
      '**/api/v1/questions?*': fill(q.failed.fetch, { status }),
      '**/questions/filters': fill(q.failed.topics, { reason }),
    };
    for (const url of Object.keys(reads)) await page.route(url, (route) => route.abort());
    await page.goto(`${stack.current.url}/admin/dashboard/${ofTopic()}`);
    for (const [url, said] of Object.entries(reads)) {
      await visitor.retry(url, page.getByRole('alert').filter({ hasText: said }));
    }
    await total(25);
    await expect.poll(() => button(t.actions.retry).count()).toBe(0);
    visitor.complaints = [];

    const { id } = await read(24);
    await failing(
      '**/validate',
      () =>
        row(24)
          .getByRole('button', { name: fill(q.which.unvalidate, { id }) })
          .click(),
      fill(q.failed.validate, { reason }),
    );
    const dialog = page.getByRole('dialog');
    await row(24)
      .getByRole('button', { name: fill(q.which.retopic, { id }) })
      .click();
    await dialog.getByLabel(q.field.topic).fill('  ');
    expect(await dialog.getByRole('button', { name: q.action.save }).isDisabled()).toBe(true);
    await dialog.getByLabel(q.field.topic).fill('Annet');
    await failing(
      '**/topic',
      () => dialog.getByRole('button', { name: q.action.save }).click(),
      fill(q.failed.topic, { reason }),
    );
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: t.actions.cancel }).click();
    await row(24)
      .getByRole('button', { name: fill(q.which.delete, { id }) })
      .click();
    await dialog.getByText(q.delete.text).waitFor();
    await failing(
      `**/questions/${id}`,
      () => dialog.getByRole('button', { name: q.delete.button }).click(),
      fill(q.failed.delete, { reason }),
    );
    await dialog.getByRole('button', { name: q.delete.button }).click();
    await total(24);
    expect(await read(24)).toBeUndefined();
    expect(visitor.complaints).toEqual([]);
  });

  test('are changed, one or all that match, and the change is undone', async () => {
    await open(ofTopic());
    await total(24);
    const { id } = await read(20);
    const tag = (text: string) => row(20).getByText(text, { exact: true });
    await row(20)
      .getByRole('button', { name: fill(q.which.unvalidate, { id }) })
      .click();
    await tag(q.status.pending).waitFor();
    await button(admin.shell.undo).click();
    await tag(q.status.validated).waitFor();

    await page.getByLabel(q.choose_page).check();
    await page
      .getByText(fill(q.chosen_other, { n: 20 }))
      .last()
      .waitFor();
    await button(fill(q.choose_all_other, { n: 24 })).click();
    expect(await findingsOf(page)).toEqual([]);
    await button(q.action.unvalidate).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(fill(q.bulk_title.unvalidate_other, { n: 24 })).waitFor();
    await dialog.getByRole('button', { name: q.action.unvalidate }).click();
    const done = fill(q.change.done.unvalidate_other, { n: 24 });
    await page.getByText(done).last().waitFor();
    await tag(q.status.pending).waitFor();
    await page.getByText(q.change.recent).click();
    await button(fill(q.change.undo_which, { what: done })).click();
    await tag(q.status.validated).waitFor();
    await page.getByText(q.change.undone.unvalidate).first().waitFor();
    expect((await read(3)).validated).toBe(true);
    expect(visitor.complaints).toEqual([]);
  });

  test('are edited, and an error or another editor’s change loses no typed text', async () => {
    const { id, ...was } = await read(10);
    await open(`questions/${id}`);
    const save = () => button(q.action.save_changes).click();
    await page.getByLabel(q.field.answer, { exact: true }).fill('');
    await save();
    await page.getByText(q.fault.blank).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByLabel(q.field.answer, { exact: true }).fill('right and better 10');
    await button(fill(q.move_down, { n: 1 })).click();
    await page.getByLabel(q.field.question, { exact: true }).fill((await read(11)).question);
    await save();
    await page.getByText(q.fault.duplicate).waitFor();
    await page
      .getByRole('link', { name: fill(q.see_question, { id: (await read(11)).id }) })
      .click();
    await page.getByRole('dialog').getByText(q.leave.text).waitFor();
    await button(q.leave.stay).click();
    await page.getByLabel(q.field.question, { exact: true }).fill(was.question);
    visitor.complaints = [];

    const content = { explanation: null, source_url: null, checked_at: null, tags: [] };
    await editQuestion(stack.current.database.pool, {
      question: id,
      version: was.version,
      content: { ...was, ...content, topic: 'Elsewhere' },
      actor: ADMIN,
    });
    // The page hears of it, and asks before anything is saved.
    await page.getByText(q.conflict.title).waitFor();
    await page.getByRole('alert').getByText('Elsewhere').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await button(q.conflict.merge).click();
    await save();
    await page.getByText(fill(q.notice.saved, { id })).waitFor();
    expect(await read(10)).toMatchObject({
      answer: 'right and better 10',
      incorrect: ['wrong b 10', 'wrong a 10', 'wrong c 10'],
      topic: 'Elsewhere',
      version: 3,
    });
    await page.getByRole('heading', { name: fill(q.history.version, { n: 3 }) }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(visitor.complaints.filter((text) => !text.includes('409'))).toEqual([]);
  });

  test('are listed for review, dismissed, or given another key', async () => {
    const [first, second] = [await read(1), await read(2)];
    const { pool } = stack.current.database;
    await pool.query(
      `insert into question_quality (question_id, version, answers, facility, quizzes,
         discrimination, wrong_option_preferred, negative_discrimination)
       select unnest($1::bigint[]), 1, 60, 0.2, 50, -0.4, true, true
       on conflict (question_id) do nothing`,
      [[first.id, second.id]],
    );
    await pool.query(
      'insert into question_difficulty (question_id, difficulty, answers) values ($1, 0.82, 41)',
      [first.id],
    );
    await open('quality?reason=wrong_option_preferred');
    const item = (text: string) => page.getByRole('listitem').filter({ hasText: text }).last();
    await item(first.question).waitFor();
    const figure = language.language === 'no' ? '+0,8' : '+0.8';
    const measured = `${figure} (${quality.measured.harder})`;
    await item(first.question).getByText(measured).waitFor();
    await item(second.question).getByText(quality.not_measured).waitFor();
    await page.getByText(quality.chart.as_table).first().waitFor();
    expect(await findingsOf(page)).toEqual([]);
    const dialog = page.getByRole('dialog');
    await button(fill(quality.which.dismiss, { id: first.id })).click();
    await dialog.getByRole('button', { name: quality.dismiss.button }).click();
    await expect.poll(() => page.getByRole('link', { name: first.question }).count()).toBe(0);

    await button(fill(quality.which.correct, { id: second.id })).click();
    await dialog.getByRole('button', { name: quality.correct.action }).click();
    await dialog.getByText(quality.correct.missing).waitFor();
    await dialog.getByLabel('wrong b 2').check();
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: quality.correct.action }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await read(2)).answer).toBe('wrong b 2');
    await page.goto(`${stack.current.url}/admin/dashboard/questions/${second.id}`);
    await page.getByRole('list', { name: quality.options }).getByText('wrong b 2').waitFor();
    await page.getByText(quality.not_measured, { exact: true }).waitFor();
    await page.getByText(quality.not_measured_means).waitFor();
    await page.getByText(fill(q.history.corrected, { answer: 'wrong b 2' })).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test('get reasons, a source, groups to keep apart and a year to look at them again', async () => {
    const { id } = await read(12);
    await open(`questions/${id}`);
    const fillIn = (name: keyof typeof q.field, text: string) =>
      page.getByLabel(q.field[name], { exact: true }).fill(text);
    const reason = (n: number) =>
      page.getByLabel(fill(q.distractor_reason, { n }), { exact: true });
    await reason(1).fill('Because of a.');
    await reason(3).fill('Because of c.');
    await button(fill(q.move_down, { n: 1 })).click();
    await fillIn('source_title', 'A source');
    await fillIn('source_url', 'https://example.no/kilde');
    await fillIn('valid_from', '2024-02-29');
    await fillIn('excludes', 'group-1, group-2');
    await fillIn('ages', '27');
    await button(q.action.save_changes).click();
    await page.getByText(q.fault.not_a_year).waitFor();
    await fillIn('ages', '2026');
    await page.getByLabel(q.preview.answered).check();
    await page
      .getByRole('region', { name: q.preview.title })
      .getByText('Because of c.', { exact: true })
      .waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await button(q.action.save_changes).click();
    await page.getByText(fill(q.notice.saved, { id })).waitFor();
    const { rows } = await stack.current.database.pool.query(
      `select incorrect, incorrect_reasons, source_title, valid_from::text, excludes, ages
       from question where id = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        incorrect: ['wrong b 12', 'wrong a 12', 'wrong c 12'],
        incorrect_reasons: [null, 'Because of a.', 'Because of c.'],
        source_title: 'A source',
        valid_from: '2024-02-29',
        excludes: ['group-1', 'group-2'],
        ages: 2026,
      },
    ]);
    await page.goto(`${stack.current.url}/admin/dashboard/quality?reason=fact_due`);
    const item = page
      .getByRole('listitem')
      .filter({ hasText: (await read(12)).question })
      .last();
    await item.getByText(quality.reason.fact_due, { exact: true }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  test('the coverage of the curriculum is counted by subject and tag, and fits a phone', async () => {
    const { pool } = stack.current.database;
    // In Norwegian alone: the gateway keeps the counts for a while, which both languages of the screen read.
    await pool.query(
      `update question set tags = array['skatt'] where topic = 'Prøve no' and question like '% 1_?'`,
    );
    const { rows } = await pool.query<{ tax: string; pensions: string }>(
      `select count(*) filter (where 'skatt' = any (tags))::text as tax,
              count(*) filter (where 'pensjon' = any (tags))::text as pensions
       from question where language = 'no' and validated and retired_at is null`,
    );
    await open('quality');
    await page.getByRole('link', { name: admin.coverage.title, exact: true }).click();
    const table = page.getByRole('region', {
      name:
        language.language === 'no'
          ? 'Demokrati og velferdssamfunn'
          : 'Democracy and the welfare state',
    });
    const countOf = (name: string) =>
      table
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
        .getByRole('cell')
        .first()
        .innerText();
    await table.waitFor();
    expect(await countOf('skatt')).toBe(rows[0]?.tax);
    expect(await countOf('pensjon')).toBe(rows[0]?.pensions);
    expect(await findingsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate<number>('document.scrollingElement.scrollWidth')).toBe(360);
    expect(visitor.complaints).toEqual([]);
  });
});

test('a topic of 2,000 characters without a space fits a phone, wherever it is shown', async () => {
  const [language] = LANGUAGES;
  const { t } = language;
  const topic = 'Å'.padEnd(2000, 'ab');
  await createQuestions(stack.current.database.pool, { topic, count: 5 });
  const quiz = { topic, question_count: 5 };
  const { visitor, quizId, learner } = await inQuiz(browser.current, stack.current, language, quiz);
  const { page } = visitor;
  await page.setViewportSize({ width: 360, height: 740 });
  const width = () => page.evaluate<number>('document.scrollingElement.scrollWidth');
  await visitor.answer('wrong');
  await page.getByText(t.run.correct_answer, { exact: true }).waitFor();
  expect(await width()).toBe(360);
  await page.goto(`${stack.current.url}/quiz`);
  await page.getByText(t.quiz.open_title_one).waitFor();
  expect(await width()).toBe(360);
  const { idToken } = await stack.current.identity.signInWithPassword(
    learner.email,
    learner.password,
  );
  await fetch(`${stack.current.url}/api/v1/quiz/${quizId}/end`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}` },
  });
  await page.goto(`${stack.current.url}/quiz/${quizId}/result`);
  await visitor.button(t.result.topic_whole).click();
  await page.getByText(topic, { exact: true }).waitFor();
  expect(await width()).toBe(360);
  await page.goto(`${stack.current.url}/quiz?tab=history`);
  await page.getByRole('listitem').getByRole('link').first().waitFor();
  expect(await width()).toBe(360);

  const admin = await Visitor.open(browser.current, stack.current, language, '/admin');
  await admin.button(t.auth.google).click();
  await admin.fill(t.fields.email, ADMIN);
  await admin.button(t.auth.emulated_google_continue).click();
  await admin.page.waitForURL('**/admin/dashboard/home');
  await admin.page.setViewportSize({ width: 360, height: 740 });
  const filter = `topic=${encodeURIComponent(topic)}`;
  await admin.page.goto(`${stack.current.url}/admin/dashboard/questions?${filter}`);
  const row = admin.page.getByRole('row').nth(1);
  await row.waitFor();
  expect(await admin.page.evaluate('document.scrollingElement.scrollWidth')).toBe(360);
  // Three lines of the question, three of the topic, and its statistics.
  expect((await row.boundingBox())?.height).toBeLessThan(740);
});
