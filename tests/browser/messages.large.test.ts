import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CURRENT_NEWS_TEXT, NEWS_TEXTS } from '@proveklar/contract/consent-texts.ts';
import { formatCount } from '../../frontend/src/lib/format-compact.ts';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, newLearner, Visitor } from '#support/journey.ts';
import { mailsTo } from '#support/mailbox.ts';
import { useOwnStack } from '#support/stack.ts';

const ADMIN = 'admin@example.no';
const TEXTS = { no: adminNo, en: adminEn };

const stack = useOwnStack();
const browser = useBrowser();

const fill = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => String(values[name] ?? ''));

/** Whether the page has no sideways scroll at this width. */
async function fits(page: Page, width: number): Promise<boolean> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
  );
}

describe.each(drawLanguages())('messages to learners ($language)', (language) => {
  const { t, language: id } = language;
  const { messages: texts, shell } = TEXTS[id];

  async function signInAdmin() {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await visitor.page.getByRole('link', { name: shell.tab.messages, exact: true }).click();
    await visitor.page.getByRole('heading', { level: 1, name: texts.title }).waitFor();
    return visitor;
  }

  test('a learner agrees to news, gets them after a test mail, and stops them in one click', async () => {
    // Other learners of this stack must not get this test's news.
    await stack.current.database.pool.query('delete from news_consent');
    const learner = await newLearner(stack.current);
    await stack.current.identity.verifyEmail(
      (await stack.current.identity.findUser(learner.email))!.localId,
    );
    const reader = await Visitor.open(browser.current, stack.current, language, '/login');
    await reader.signIn(learner.email, learner.password);
    await reader.page.goto(`${stack.current.url}/quiz?tab=account`);
    const box = reader.page.getByLabel(NEWS_TEXTS[CURRENT_NEWS_TEXT[id]].text);
    expect(await box.isChecked()).toBe(false);
    await box.check();
    await reader.page.getByText(t.news.on).waitFor();
    expect(await findingsOf(reader.page)).toEqual([]);

    const visitor = await signInAdmin();
    const { page } = visitor;
    await page.getByRole('link', { name: texts.write }).click();
    await page.getByLabel(texts.kind.news).check();
    await visitor.button(texts.save).click();
    await page.getByText(texts.faulty).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    const written = page.getByRole('group', { name: new RegExp(`^${texts.text[id]}`) });
    const subject = `Nytt ${crypto.randomUUID().slice(0, 8)}`;
    await written.getByLabel(texts.field.subject).fill(subject);
    await written.getByLabel(texts.field.body).fill('Første.\n\n[Se her](https://example.no/nytt)');
    await page.getByText(fill(texts.reach.total_one, { n: 1 })).waitFor();
    await visitor.button(texts.save).click();
    await page.getByRole('heading', { level: 1, name: subject }).waitFor();
    await page.getByText('https://example.no/nytt').waitFor();
    await page.getByText(texts.send.test_first).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    for (const width of [360, 1440]) expect(await fits(page, width)).toBe(true);

    await visitor.button(texts.send.test).click();
    await page.getByText(texts.send.tested).waitFor();
    const mails = async (to: string) =>
      (await mailsTo(stack.current.mailboxUrl, to)).filter((mail) =>
        mail.subject.includes(subject),
      );
    expect(await mails(ADMIN)).toMatchObject([{ subject: `TEST: ${subject}` }]);
    expect(await mails(learner.email)).toEqual([]);

    await visitor.button(texts.send.open).click();
    await visitor.button(fill(texts.send.action_one, { n: formatCount(1, id) })).click();
    await expect.poll(async () => (await mails(learner.email)).length).toBe(1);
    await page.getByText(texts.state.sent, { exact: true }).first().waitFor();
    await page.getByText(texts.ended.replace('{{at}}', '').trim()).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    for (const width of [360, 1440]) expect(await fits(page, width)).toBe(true);

    const [mail] = await mails(learner.email);
    const headers = Object.fromEntries(mail!.headers.map(({ name, value }) => [name, value]));
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const [, stopUrl = ''] = /(https?:\S+\/nyheter\?token=\S+)/.exec(mail!.text) ?? [];
    const { pathname, search } = new URL(stopUrl);
    const stopper = await Visitor.open(browser.current, stack.current, language, '/nyheter');
    await stopper.page.getByRole('heading', { name: t.stop_news.invalid_title }).waitFor();
    await stopper.page.goto(stack.current.url + pathname + search);
    await stopper.page.getByRole('heading', { name: t.news_mails.title }).waitFor();
    expect(await findingsOf(stopper.page)).toEqual([]);
    await stopper.button(t.stop_news.stop).click();
    await stopper.page.getByRole('heading', { name: t.stop_news.done_title }).waitFor();
    await reader.page.reload();
    await box.waitFor();
    expect(await box.isChecked()).toBe(false);
    expect(reader.complaints).toEqual([]);
    expect(stopper.complaints).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  test('a draft is edited and deleted, and the list says when it is empty or cannot be read', async () => {
    await stack.current.database.pool.query('truncate message cascade');
    const visitor = await signInAdmin();
    const { page } = visitor;
    await page.getByText(texts.none_text).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole('link', { name: texts.write }).click();
    const written = page.getByRole('group', { name: new RegExp(`^${texts.text[id]}`) });
    await written.getByLabel(texts.field.subject).fill('Første utgave');
    await written.getByLabel(texts.field.body).fill('Hei');
    await visitor.button(texts.save).click();
    await page.getByRole('heading', { level: 1, name: 'Første utgave' }).waitFor();
    await written.getByLabel(texts.field.subject).fill('Andre utgave');
    await page.getByText(texts.send.save_first).waitFor();
    await visitor.button(texts.save).click();
    await page.getByRole('heading', { level: 1, name: 'Andre utgave' }).waitFor();
    expect(await written.getByLabel(texts.field.subject).inputValue()).toBe('Andre utgave');
    await page.getByRole('link', { name: texts.back }).click();
    await page.getByRole('link', { name: 'Andre utgave' }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    for (const width of [360, 1440]) expect(await fits(page, width)).toBe(true);
    await page.getByRole('link', { name: 'Andre utgave' }).click();
    await visitor.button(texts.delete).click();
    await page.getByRole('dialog').getByRole('button', { name: texts.delete }).click();
    await page.getByText(texts.none_text).waitFor();
    expect(visitor.complaints).toEqual([]);

    await page.route('**/api/v1/admin/messages', (route) =>
      route.fulfill({ status: 403, json: { error: '', code: 'x' } }),
    );
    await page.reload();
    await page.getByText(fill(texts.failed.fetch, { status: t.error.status_403 })).waitFor();
    await visitor.retry('**/api/v1/admin/messages');
    await page.getByText(texts.none_text).waitFor();
  });
});
