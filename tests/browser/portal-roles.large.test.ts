import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { OperationsResponse } from '@proveklar/contract/operations.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { readStatus } from '@proveklar/services/database/service-status.ts';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { changeResponses, useBrowser } from '#support/browser.ts';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const OWNER = 'admin@example.no';
const TEXTS = { no: adminNo, en: adminEn };

const stack = useOwnStack();
const browser = useBrowser();

/** Pauses the queue of near-duplicates and resumes it, each after a confirmation. */
async function pauseAndResume(page: Page, queue: typeof adminEn.operations.queue): Promise<void> {
  const NAME = 'near-duplicates';
  const fill = (text: string) => text.replace('{{queue}}', NAME);
  const row = page.getByRole('row').filter({ hasText: NAME });
  const confirm = async (action: string) => {
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await row.getByRole('button', { name: fill(queue.pause_which) }).click();
  await page.getByText(queue.waits[NAME]).waitFor();
  await confirm(queue.pause);
  await row.getByText(queue.paused, { exact: true }).waitFor();
  const { pool } = stack.current.database;
  await expect.poll(() => stateInStatus(pool, NAME)).toBe(true);
  expect(await findingsOf(page)).toEqual([]);
  await row.getByRole('button', { name: fill(queue.resume_which) }).click();
  await confirm(queue.resume);
  await row.getByText(queue.paused, { exact: true }).waitFor({ state: 'detached' });
  await expect.poll(() => stateInStatus(pool, NAME)).toBe(false);
}

/** Whether the queue is paused, as a worker found it. */
async function stateInStatus(db: Database, name: string): Promise<boolean | undefined> {
  const status = await readStatus(db);
  return status?.queues.find((queue) => queue.name === name)?.paused;
}

/** The status as a worker finds it while PostgreSQL, which has the queues too, does not answer. */
function asIfUnread(real: object): object {
  const { status, ...rest } = real as OperationsResponse;
  return {
    ...rest,
    status: {
      ...status!,
      parts: status!.parts.map((part) => ({ ...part, figure: null })),
      queues: status!.queues.map((queue) => ({ ...queue, level: 'ok', depth: null, failed: null })),
      processes: [],
    },
  };
}

test.each(drawLanguages())(
  'an owner invites an editor, support and an operator, who see their own pages, and takes a role away ($language)',
  async (language) => {
    const { t } = language;
    const { settings, shell } = TEXTS[language.language];
    const { members } = settings;

    const signIn = async (email: string) => {
      const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
      await visitor.button(t.auth.google).click();
      await visitor.fill(t.fields.email, email);
      await visitor.button(t.auth.emulated_google_continue).click();
      return visitor;
    };
    const tabsOf = async ({ page }: Visitor) => {
      const tabs = page.getByRole('navigation', { name: shell.nav }).getByRole('link');
      await tabs.first().waitFor();
      // Without the counts of what waits.
      return (await tabs.allInnerTexts()).map((text) => text.split('\n')[0]);
    };

    const owner = await signIn(OWNER);
    expect(await tabsOf(owner)).toHaveLength(13);
    await owner.page.goto(`${stack.current.url}/admin/dashboard/settings`);
    const form = owner.page.getByRole('form', { name: members.invite.title });
    const invite = async (email: string, role: 'editor' | 'support' | 'operator') => {
      await form.getByLabel(members.invite.email).fill(email);
      await form.getByLabel(members.role).selectOption(role);
      await form.getByRole('button', { name: members.invite.action }).click();
      await owner.page.getByRole('cell', { name: email }).waitFor();
    };
    await form.getByRole('button', { name: members.invite.action }).click();
    await owner.page.getByText(members.wrong_email).waitFor();
    const [editor, support, operator] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
    await invite(editor, 'editor');
    await invite(support, 'support');
    await invite(operator, 'operator');
    expect(await findingsOf(owner.page)).toEqual([]);

    const writing = await signIn(editor);
    const { tab } = shell;
    expect(await tabsOf(writing)).toEqual([
      tab.home,
      tab.import,
      tab.questions,
      tab.quality,
      tab.glossary,
      tab.feedback,
    ]);
    await writing.page.goto(`${stack.current.url}/admin/dashboard/settings`);
    await writing.page.waitForURL('**/admin/dashboard/home');

    const helping = await signIn(support);
    expect(await tabsOf(helping)).toEqual([
      tab.home,
      tab.users,
      tab.payments,
      tab.messages,
      tab.feedback,
    ]);
    expect(new URL(helping.page.url()).pathname).toBe('/admin/dashboard/home');
    const { home } = TEXTS[language.language];
    await helping.page.getByRole('heading', { name: home.today.title }).waitFor();
    expect(await findingsOf(helping.page)).toEqual([]);
    await helping.page.getByRole('link', { name: tab.payments }).click();
    await helping.page
      .getByRole('heading', { name: TEXTS[language.language].payments.title, level: 1 })
      .waitFor();
    expect(await findingsOf(helping.page)).toEqual([]);

    const operating = await signIn(operator);
    expect(await tabsOf(operating)).toEqual([tab.home, tab.operations]);
    await operating.page.getByRole('link', { name: tab.operations }).first().click();
    const { operations } = TEXTS[language.language];
    await operating.page.getByRole('heading', { name: operations.queues, exact: true }).waitFor();
    await operating.page.getByText(operations.events.none).waitFor();
    expect(await findingsOf(operating.page)).toEqual([]);
    await pauseAndResume(operating.page, operations.queue);
    await changeResponses(operating.page, '**/api/v1/admin/operations', asIfUnread);
    await operating.page.getByText(operations.processes_unread).waitFor();
    const queues = operating.page.getByRole('table', { name: operations.queues });
    const unknown = queues.getByText(operations.level.unknown);
    expect(await unknown.count()).toBe((await queues.getByRole('row').count()) - 1);
    expect(await findingsOf(operating.page)).toEqual([]);
    expect(operating.complaints).toEqual([]);

    await owner.page
      .getByRole('button', { name: members.withdraw.which.replace('{{email}}', editor) })
      .click();
    await owner.page
      .getByRole('dialog')
      .getByRole('button', { name: members.withdraw.action })
      .click();
    await owner.page.getByRole('cell', { name: editor }).waitFor({ state: 'detached' });
    await writing.page.reload();
    await writing.page.getByText(shell.unauthorized, { exact: true }).waitFor();
    expect(owner.complaints).toEqual([]);
    expect(helping.complaints).toEqual([]);
  },
);
