import { describe, expect, test } from 'vitest';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { createQuestions } from '#support/factories.ts';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';
import { inviteMember } from '@proveklar/services/accounts/portal-members.ts';

const TEXTS = { no: adminNo, en: adminEn };

const stack = useOwnStack();
const browser = useBrowser();

const fill = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => String(values[name] ?? ''));

describe.each(drawLanguages())('an editor at work ($language)', (language) => {
  const { t } = language;
  const { questions: q } = TEXTS[language.language];

  /** An editor, signed in, on a page of the portal. */
  async function open(path: string) {
    const email = uniqueEmail();
    await inviteMember(stack.current.database.pool, {
      email,
      role: 'editor',
      actor: 'test',
      owners: [],
    });
    const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, email);
    await visitor.button(t.auth.emulated_google_continue).click();
    await visitor.page.waitForURL('**/admin/dashboard/home');
    await visitor.page.goto(`${stack.current.url}/admin/dashboard/${path}`);
    const { page } = visitor;
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    // It has suggestions.
    const topicField = () => page.getByRole('combobox', { name: q.field.topic, exact: true });
    return { email, visitor, page, button, field, topicField };
  }
  const read = async (condition: string, value: unknown) => {
    const { rows } = await stack.current.database.pool.query(
      `select * from question where ${condition} order by id`,
      [value],
    );
    return rows;
  };

  test('writes a question, and translates it beside the original', async () => {
    const { visitor, page, button, field, topicField } = await open('questions/new');
    await button(q.new.submit).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    const text = `Hva er nytt? ${crypto.randomUUID()}`;
    await field(q.field.question).fill(text);
    await field(q.field.answer).fill('Dette');
    for (const [place, wrong] of ['Det', 'Hint', 'Datt'].entries()) {
      const label = place < 2 ? q.distractor_in_test : q.distractor;
      await field(fill(label, { n: place + 1 })).fill(wrong);
    }
    await button(q.new.submit).click();
    // Without a topic: the field says so, and nothing is lost.
    await page.getByText(q.fault.blank).waitFor();
    await topicField().fill('Nytt tema');
    await button(q.new.submit).click();
    await page.waitForURL(/questions\/\d+$/u);
    const [written] = await read('question = $1', text);
    expect(written).toMatchObject({
      validated: false,
      topic: 'Nytt tema',
      incorrect: ['Det', 'Hint', 'Datt'],
    });

    const english = language.language === 'no' ? 'Engelsk' : 'English';
    await page
      .getByRole('link', { name: fill(q.siblings.translate, { language: english }) })
      .click();
    await page.waitForURL('**/questions/new?**');
    // The original is there to read.
    await page.getByText(text).first().waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await field(q.field.question).fill(`What is new? ${written.uuid}`);
    await field(q.field.answer).fill('This');
    for (const [place, wrong] of ['It', 'That', 'Those'].entries()) {
      const label = place < 2 ? q.distractor_in_test : q.distractor;
      await field(fill(label, { n: place + 1 })).fill(wrong);
    }
    await topicField().fill('New topic');
    await button(q.new.submit).click();
    await page.waitForURL(/questions\/\d+$/u);
    const [translated] = await read('question = $1', `What is new? ${written.uuid}`);
    const [original] = await read('id = $1', written.id);
    expect(translated).toMatchObject({
      language: 'en',
      translation_group: original.translation_group,
    });
    await page.getByRole('heading', { name: q.siblings.title }).waitFor();
    await page.getByText(q.siblings.aligned).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  test('is told of another editor, and loses nothing when both save', async () => {
    const topic = `Sammen ${language.language}`;
    await createQuestions(stack.current.database.pool, { topic, count: 1 });
    const [question] = await read('topic = $1', topic);
    const path = `questions/${question.id}`;
    const [first, second] = [await open(path), await open(path)];
    await second.field(q.field.answer).fill('right, by the second');
    await first.page
      .getByText(fill(q.presence.writing, { email: second.email }))
      .waitFor({ timeout: 40_000 });

    await second.field(q.field.explanation).fill('Because of the second.');
    await first.field(q.field.answer).fill('right, by the first');
    await first.topicField().fill(`${topic} nytt`);
    await first.button(q.action.save_changes).click();
    await first.page.getByText(fill(q.notice.saved, { id: question.id })).waitFor();

    // The page of the second hears of it, before saving.
    await second.page.getByText(q.conflict.title).waitFor();
    expect(await findingsOf(second.page)).toEqual([]);
    await second.page.getByLabel(q.conflict.theirs).check();
    await second.button(q.conflict.merge).click();
    await second.page.getByText(q.conflict.title).waitFor({ state: 'detached' });
    await second.button(q.action.save_changes).click();
    await second.page.getByText(fill(q.notice.saved, { id: question.id })).waitFor();
    expect((await read('id = $1', question.id))[0]).toMatchObject({
      answer: 'right, by the first',
      topic: `${topic} nytt`,
      explanation: 'Because of the second.',
      version: 3,
    });
    expect(second.visitor.complaints).toEqual([]);
  });

  test('reviews questions with one key each, and goes on from question to question', async () => {
    const topic = `Vurdering ${language.language}`;
    const { pool } = stack.current.database;
    await createQuestions(pool, { topic, count: 8 });
    await pool.query('update question set validated = false where topic = $1', [topic]);
    const states = async () =>
      (await read('topic = $1', topic)).map(({ validated, retired_at }) =>
        retired_at ? 'retired' : validated ? 'validated' : 'pending',
      );
    const count = async (state: string) => (await states()).filter((one) => one === state).length;
    const { visitor, page, button } = await open(
      `questions?validation=pending&topic=${encodeURIComponent(topic)}`,
    );
    await page.getByRole('row').nth(8).waitFor();
    await page.keyboard.press('j');
    // The first row opens, with its options.
    await page.getByText('right 7').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.keyboard.press('v');
    await expect.poll(() => count('validated')).toBe(1);
    await page.getByText('right 6').waitFor();
    await page.keyboard.press('r');
    await expect.poll(() => count('retired')).toBe(1);
    await page.getByText('right 5').waitFor();
    await page.keyboard.press('j');
    await page.getByText('right 4').waitFor();
    await page.keyboard.press('k');
    await page.getByText('right 5').waitFor();

    await page.keyboard.press('e');
    await page.waitForURL(/questions\/\d+$/u);
    await button(q.action.save_validate_next).click();
    await expect.poll(() => count('validated')).toBe(2);
    await page.getByRole('textbox', { name: q.field.answer }).waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: q.field.answer }).inputValue())
      .toBe('right 4');
    await button(q.walk.previous).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: q.field.answer }).inputValue())
      .toBe('right 5');
    expect(visitor.complaints).toEqual([]);
  });
});
