import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, newLearner, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const ADMIN = 'admin@example.no';
const ADMIN_TEXTS = { no: adminNo, en: adminEn };

const stack = useOwnStack();
const browser = useBrowser();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const fill = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => values[name] ?? '');

describe.each(drawLanguages())('the admin portal ($language)', (language) => {
  const { t } = language;
  const admin = ADMIN_TEXTS[language.language];
  const other = language.language === 'no' ? 'en' : 'no';

  const open = (path: string) => Visitor.open(browser.current, stack.current, language, path);

  async function signInWithGoogle(visitor: Visitor, email: string): Promise<void> {
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, email);
    await visitor.button(t.auth.emulated_google_continue).click();
  }

  async function openUsers(): Promise<Visitor> {
    const visitor = await open('/admin/dashboard/users');
    await signInWithGoogle(visitor, ADMIN);
    await heading(visitor.page, admin.users.title).waitFor();
    return visitor;
  }

  test('the administrator signs in by Google, and uses the portal by keyboard in either language', async () => {
    const visitor = await open('/admin/dashboard/audit');
    const { page } = visitor;
    await page.waitForURL(/\/admin\?/);
    await page.getByText(admin.shell.sign_in_text).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await signInWithGoogle(visitor, ADMIN);
    // The page that was asked for before signing in.
    await heading(page, admin.audit.title).waitFor();
    expect(await page.getByText(ADMIN).first().isVisible()).toBe(true);

    const tabs = page.getByRole('navigation', { name: admin.shell.nav }).getByRole('link');
    const users = tabs.filter({ hasText: admin.shell.tab.users });
    await tabs.first().focus();
    const focused = page.locator(':focus');
    while (!(await focused.getAttribute('href'))?.endsWith('/users')) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await heading(page, admin.users.title).waitFor();
    expect(await users.getAttribute('aria-current')).toBe('page');
    await page.goBack();
    await heading(page, admin.audit.title).waitFor();

    await visitor.button(other === 'en' ? 'EN – English' : 'NO – Norsk').click();
    await heading(page, ADMIN_TEXTS[other].audit.title).waitFor();
    await visitor.button(other === 'no' ? 'EN – English' : 'NO – Norsk').click();
    await heading(page, admin.audit.title).waitFor();

    await page.goto(`${stack.current.url}/admin`);
    await page.waitForURL('**/admin/dashboard**');
    await visitor.button(t.actions.sign_out).click();
    await visitor.button(t.auth.google).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin');
    expect(visitor.complaints).toEqual([]);
  });

  test('other users are refused, with a message', async () => {
    const learner = await newLearner(stack.current);
    const visitor = await open('/login');
    const { page } = visitor;
    await visitor.signIn(learner.email, learner.password);
    await page.goto(`${stack.current.url}/admin/dashboard/users`);
    await page.getByRole('alert').getByText(admin.shell.unauthorized).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin');
    expect(await findingsOf(page)).toEqual([]);
    await visitor.button(admin.shell.use_another).click();
    await signInWithGoogle(visitor, ADMIN);
    await heading(page, admin.users.title).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test('a user is found, disabled, enabled and deleted; the audit log has each step', async () => {
    const { email } = await newLearner(stack.current);
    const visitor = await openUsers();
    const { page } = visitor;
    const row = page.getByRole('row').filter({ hasText: email });
    const dialog = page.getByRole('dialog');
    await visitor.fill(admin.users.search, email);
    await row.getByText(fill(admin.users.service_days_other, { count: '30' })).waitFor();
    expect(await row.getByText(admin.users.never).count()).toBe(0);
    expect(await findingsOf(page)).toEqual([]);

    const openMenu = () =>
      row.getByRole('button', { name: fill(admin.users.actions_for, { email }) }).click();
    await openMenu();
    await row.getByRole('button', { name: admin.users.disable }).click();
    await dialog.getByText(fill(admin.users.disable_text, { email })).waitFor();
    await dialog.getByLabel(admin.users.disable_reason).fill('Delt med andre');
    expect(await findingsOf(page)).toEqual([]);
    await page.route('**/admin/users/**', (route) => route.abort(), { times: 1 });
    await dialog.getByRole('button', { name: admin.users.disable_action }).click();
    const refused = fill(admin.users.failed.update, { reason: t.error.network });
    await dialog.getByRole('alert').getByText(refused).waitFor();
    // The dialog alone says it: no one could read a notice behind it.
    expect(await page.getByText(refused).count()).toBe(1);

    // After a dialog that was closed meanwhile, a notice says it.
    const isClosed = Promise.withResolvers<void>();
    await page.route(
      '**/admin/users/**',
      async (route) => {
        await isClosed.promise;
        await route.abort();
      },
      { times: 1 },
    );
    await dialog.getByRole('button', { name: admin.users.disable_action }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    isClosed.resolve();
    await page.getByText(refused).waitFor();
    visitor.complaints = [];
    await openMenu();
    await row.getByRole('button', { name: admin.users.disable }).click();
    await dialog.getByLabel(admin.users.disable_reason).fill('Delt med andre');
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await dialog.getByRole('button', { name: admin.users.disable_action }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row.getByText(admin.users.disabled, { exact: true }).waitFor();
    await visitor.button(admin.shell.undo).click();
    await row.getByText(admin.users.active, { exact: true }).waitFor();

    await openMenu();
    await row.getByRole('button', { name: admin.users.delete }).click();
    await dialog.getByText(fill(admin.users.delete_text, { email })).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.route('**/admin/users/*', (route) => route.abort(), { times: 1 });
    await dialog.getByRole('button', { name: admin.users.delete_action }).click();
    const failed = fill(admin.users.failed.delete, { reason: t.error.network });
    await dialog.getByRole('alert').getByText(failed).waitFor();
    visitor.complaints = [];
    await dialog.getByRole('button', { name: admin.users.delete_action }).click();
    await page.getByText(admin.users.none, { exact: true }).waitFor();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('link', { name: admin.shell.tab.audit }).click();
    const entries = page.getByRole('list', { name: admin.audit.list }).getByRole('listitem');
    const { user } = admin.audit.action;
    for (const [n, sentence] of [user.deleted, user.enabled, user.disabled].entries()) {
      await entries
        .nth(n)
        .getByText(fill(sentence, { subject: email }))
        .waitFor();
    }
    expect(await findingsOf(page)).toEqual([]);
    await page.getByLabel(admin.audit.filter_action).selectOption('user.enabled');
    await page.waitForURL('**/audit?action=user.enabled');
    await expect.poll(() => entries.getByText(user.deleted.split('{')[0] ?? '').count()).toBe(0);
    await entries.getByText(fill(user.enabled, { subject: email })).waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test('a list that is read again in vain stays, with the open dialog and what was typed', async () => {
    const { email } = await newLearner(stack.current);
    const visitor = await openUsers();
    const { page } = visitor;
    // The list of all users may show the row before the search has begun.
    const found = page.waitForResponse((response) =>
      response.url().includes(encodeURIComponent(email)),
    );
    await visitor.fill(admin.users.search, email);
    await found;
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText(fill(admin.users.service_days_other, { count: '30' })).waitFor();
    const isRead = Promise.withResolvers<void>();
    await page.route('**/admin/users?*', async (route) => {
      await isRead.promise;
      await route.abort();
    });
    await visitor.button(admin.users.refresh).click();
    await row.getByRole('button', { name: fill(admin.users.actions_for, { email }) }).click();
    await row.getByRole('button', { name: admin.users.disable }).click();
    const reason = page.getByRole('dialog').getByLabel(admin.users.disable_reason);
    await reason.fill('Delt med andre');
    isRead.resolve();
    const failed = fill(admin.users.failed.fetch, { status: t.error.status_network });
    await page.getByText(failed).waitFor();
    expect(await reason.inputValue()).toBe('Delt med andre');
  });

  test('administrators cannot delete themselves, and a failed list can be loaded again', async () => {
    const visitor = await openUsers();
    const { page } = visitor;
    await visitor.fill(admin.users.search, ADMIN);
    const own = page.getByRole('row').filter({ hasText: admin.users.you });
    await own.getByText(admin.users.cannot_delete_self).waitFor();
    expect(await own.getByRole('button', { name: admin.users.delete }).isDisabled()).toBe(true);

    await page.route('**/admin/users?*', (route) => route.abort());
    await visitor.fill(admin.users.search, 'unknown');
    const failed = fill(admin.users.failed.fetch, { status: t.error.status_network });
    await page.getByRole('alert').getByText(failed).waitFor();
    await page.unroute('**/admin/users?*');
    visitor.complaints = [];
    await visitor.button(t.actions.retry).click();
    await page.getByText(admin.users.none, { exact: true }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await visitor.button(admin.users.clear).click();
    await page.getByRole('row').nth(1).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

describe('the checks of these tests', () => {
  test('find an inaccessible page', async () => {
    const page = await browser.current.newPage({ locale: 'nb-NO' });
    await page.setContent('<main><h1>Brukere</h1><button></button></main>');
    const findings = await findingsOf(page);
    await page.close();
    expect(findings.join()).toContain('button-name: button');
  });
});
