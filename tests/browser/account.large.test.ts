import { readFile } from 'node:fs/promises';
import { LANGUAGE_COOKIE } from '@proveklar/contract/language.ts';
import { describe, expect, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { uniqueEmail } from '#support/identity.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import type { SeenMail } from '#support/mailbox.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const [NORWEGIAN, ENGLISH] = LANGUAGES;

const fill = (text: string, values: Record<string, string>) =>
  text.replaceAll(/{{(\w+)}}/g, (_whole, name: string) => values[name] ?? '');

/** A learner at their account page. */
async function atAccount(language: (typeof LANGUAGES)[number]) {
  const learner = await newLearner(stack.current);
  const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
  await visitor.signIn(learner.email, learner.password);
  const { page, t } = visitor;
  await page.getByRole('tab', { name: t.home.tab_account }).click();
  await visitor.button(fill(t.profile.edit_what, { what: t.account.display_name })).waitFor();
  const change = async (what: string) => {
    await visitor.button(fill(t.profile.edit_what, { what })).click();
  };
  return { ...learner, visitor, page, t, change };
}

const accountOf = async (uid: string) => {
  const { rows } = await stack.current.database.pool.query(
    'select email, display_name, language, state from account where uid = $1',
    [uid],
  );
  return rows[0] as Record<string, string | null>;
};

const uidOf = async (email: string) =>
  (await stack.current.identity.findUser(email))?.localId ?? '';

const mailsTo = async (email: string) => {
  const all = (await (await fetch(`${stack.current.mailboxUrl}/mails.json`)).json()) as SeenMail[];
  return all.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
};

/** Opens the link mailed to a new address, in the mailbox. */
async function openLink(visitor: Visitor, email: string): Promise<void> {
  const tab = await visitor.page.context().newPage();
  await tab.goto(stack.current.mailboxUrl);
  await tab.getByRole('listitem').filter({ hasText: email }).getByRole('link').click();
  await tab.waitForURL('**/links/**');
  await tab.getByRole('link', { name: 'Confirm your new e-mail address' }).click();
  // The link leads back to the account, which shows the new address.
  await tab.getByText(fill(visitor.t.profile.email.changed, { email })).first().waitFor();
  await tab.close();
}

test('a learner changes name, address and password, and signs in with the new ones', async () => {
  const { visitor, page, t, email, password, change } = await atAccount(ENGLISH);
  const uid = await uidOf(email);

  await change(t.account.display_name);
  await visitor.fill(t.profile.name.new, 'Kari Nordmann');
  await visitor.button(t.profile.save).click();
  await page.getByText(t.profile.name.saved).waitFor();
  const greeting = fill(t.home.greeting, { name: 'Kari Nordmann' });
  await page.getByRole('heading', { name: greeting }).waitFor();
  expect(await accountOf(uid)).toMatchObject({ display_name: 'Kari Nordmann', language: 'en' });

  const next = uniqueEmail();
  await change(t.account.email);
  await visitor.fill(t.profile.email.new, next);
  await visitor.fill(t.profile.password.current, 'a wrong password');
  await visitor.button(t.profile.email.send).click();
  await page.getByText(t.profile.error.wrong_password).waitFor();
  await visitor.fill(t.profile.password.current, password);
  await visitor.button(t.profile.email.send).click();
  await page.getByText(fill(t.profile.email.sent, { email: next, old: email })).waitFor();
  expect(await accountOf(uid)).toMatchObject({ email });
  await openLink(visitor, next);
  await expect.poll(() => accountOf(uid)).toMatchObject({ email: next });

  await page.reload();
  await change(t.fields.password);
  await visitor.fill(t.profile.password.current, password);
  await visitor.fill(t.profile.password.new, 'short');
  await visitor.button(t.profile.password.submit).click();
  await page.getByText(t.registration.password_short).waitFor();
  await visitor.fill(t.profile.password.new, 'et nytt passord');
  await visitor.button(t.profile.password.submit).click();
  await page.getByText(t.profile.password.changed).waitFor();
  await visitor.button(t.actions.sign_out).click();
  await visitor.fill(t.fields.email, next);
  await visitor.fill(t.fields.password, 'et nytt passord');
  await visitor.button(t.auth.sign_in).click();
  await page.getByRole('heading', { name: greeting }).waitFor();
  // Pages without the identity code show the way to the account, too, while the learner is signed in.
  const header = page.getByRole('banner');
  for (const path of ['/', '/personvern']) {
    await page.goto(`${stack.current.url}${path}`);
    await header.getByRole('link', { name: t.actions.to_quiz_home }).waitFor();
  }
  await header.getByRole('link', { name: t.actions.to_quiz_home }).click();
  await visitor.button(t.actions.sign_out).click();
  await visitor.button(t.auth.sign_in).waitFor();
  await page.goto(stack.current.url);
  await header.getByRole('link', { name: t.actions.sign_in }).waitFor();
  // The browser logs the 400 for the wrong password.
  expect(visitor.complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
});

test('each attempt with an invalid field focuses it', async () => {
  const { visitor, page, t, change } = await atAccount(NORWEGIAN);
  async function attempt(button: string, name: string) {
    await visitor.button(button).click();
    await page.locator(`[name=${name}][aria-invalid=true]:focus`).waitFor();
  }
  await change(t.account.display_name);
  await visitor.fill(t.profile.name.new, '');
  await attempt(t.profile.save, 'display_name');
  await attempt(t.profile.save, 'display_name');
  await visitor.button(t.actions.cancel).click();
  await change(t.account.email);
  await attempt(t.profile.email.send, 'email');
  await attempt(t.profile.email.send, 'email');
  await visitor.button(t.actions.cancel).click();
  await change(t.fields.password);
  await attempt(t.profile.password.submit, 'password');
  await attempt(t.profile.password.submit, 'password');
  await visitor.button(t.profile.delete.begin).click();
  await attempt(t.profile.delete.submit, 'password');
  await attempt(t.profile.delete.submit, 'password');
  await page.keyboard.press('Escape');

  await visitor.button(t.actions.sign_out).click();
  await attempt(t.auth.sign_in, 'email');
  await attempt(t.auth.sign_in, 'email');
  await page.getByRole('link', { name: t.auth.forgot }).click();
  await attempt(t.auth.reset_send, 'email');
  await attempt(t.auth.reset_send, 'email');
  expect(visitor.complaints).toEqual([]);
});

test('a session that ends by a change of address elsewhere leads to the sign-in', async () => {
  const { visitor, page, t, email, password, change } = await atAccount(NORWEGIAN);
  const next = uniqueEmail();
  await change(t.account.email);
  await visitor.fill(t.profile.email.new, next);
  await visitor.fill(t.profile.password.current, password);
  await visitor.button(t.profile.email.send).click();
  await page.getByText(fill(t.profile.email.sent, { email: next, old: email })).waitFor();
  // As the real provider does, and the emulator does not: a changed address ends the sessions.
  await stack.current.identity.changeEmail(await uidOf(email), next);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await page.getByText(fill(t.auth.email_changed, { email: next })).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await visitor.fill(t.fields.email, next);
  await visitor.fill(t.fields.password, password);
  await visitor.button(t.auth.sign_in).click();
  await page.getByText(next).first().waitFor();
});

test('mails are in the language of the page', async () => {
  const { visitor, page, t, email } = await atAccount(NORWEGIAN);
  const uid = await uidOf(email);
  await page.locator('label[lang=en]').click();
  await page.getByRole('heading', { name: ENGLISH.t.account.title, exact: true }).waitFor();
  await expect.poll(() => accountOf(uid)).toMatchObject({ language: 'en' });
  await page.getByRole('button', { name: 'NO – Norsk' }).click();
  await visitor.button(fill(t.profile.edit_what, { what: t.account.display_name })).waitFor();
  await expect.poll(() => accountOf(uid)).toMatchObject({ language: 'no' });
  expect(visitor.complaints).toEqual([]);
});

test('mails are in the language of the browser as long as none was chosen', async () => {
  const { email, password } = await newLearner(stack.current);
  const uid = await uidOf(email);
  await stack.current.database.pool.query(`update account set language = 'en' where uid = $1`, [
    uid,
  ]);
  const visitor = await Visitor.open(browser.current, stack.current, NORWEGIAN, '/login');
  const context = visitor.page.context();
  const cookies = async () => (await context.cookies()).map(({ name }) => name);
  // The language in the address leaves a cookie, as a choice does.
  await expect.poll(cookies).toContain(LANGUAGE_COOKIE);
  await context.clearCookies();
  await visitor.page.goto(`${stack.current.url}/login`);
  await visitor.signIn(email, password);
  await expect.poll(() => accountOf(uid)).toMatchObject({ language: 'no' });
  expect(await cookies()).not.toContain(LANGUAGE_COOKIE);
});

describe.each(drawLanguages())('a learner’s data ($language)', (language) => {
  test('are saved as a file, and deleted with the account', async () => {
    const { visitor, page, t, email, password } = await atAccount(language);
    const uid = await uidOf(email);
    const saved = page.waitForEvent('download');
    await visitor.button(t.profile.data.download).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^proveklar-\d{4}-\d\d-\d\d[.]json$/);
    const contents = JSON.parse(await readFile(await file.path(), 'utf8')) as object;
    expect(contents).toMatchObject({ account: { email }, quizzes: [] });
    await page.getByText(t.profile.data.downloaded).waitFor();

    const { idToken: living } = await stack.current.identity.signInWithPassword(email, password);
    await visitor.button(t.profile.delete.begin).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(fill(t.profile.delete.days_lost_other, { count: '30' })).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    const submit = dialog.getByRole('button', { name: t.profile.delete.submit, exact: true });
    await submit.click();
    const both = `${t.profile.delete.password_missing} ${t.profile.delete.unsure}`;
    await dialog.getByText(both).waitFor();
    await visitor.fill(t.profile.delete.password, 'a wrong password');
    await submit.click();
    await dialog.getByText(t.profile.delete.unsure).waitFor();
    await dialog.getByRole('checkbox').check();
    await submit.click();
    await dialog.getByText(t.profile.error.wrong_password).waitFor();
    await visitor.fill(t.profile.delete.password, password);
    await submit.click();
    await page.getByRole('heading', { name: t.profile.delete.done_title }).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    expect(await accountOf(uid)).toMatchObject({ state: 'deleted' });
    const subject =
      language.language === 'no' ? 'Kontoen din er slettet' : 'Your account has been deleted';
    await expect.poll(() => mailsTo(email)).toEqual([subject]);
    const headers = { authorization: `Bearer ${living}` };
    const answer = await fetch(`${stack.current.url}/api/v1/account`, { headers });
    expect(answer.status).toBe(401);
    await page.goto(`${stack.current.url}/login`);
    await visitor.fill(t.fields.email, email);
    await visitor.fill(t.fields.password, password);
    await visitor.button(t.auth.sign_in).click();
    await page.getByText(t.auth.error.wrong_credentials).waitFor();
  });
});

test('a Google user proves a recent sign-in at Google, and sees no password form', async () => {
  const { t } = NORWEGIAN;
  const email = uniqueEmail();
  const visitor = await Visitor.open(browser.current, stack.current, NORWEGIAN, '/login');
  const { page } = visitor;
  await visitor.button(t.auth.google).click();
  await page.getByRole('dialog').getByLabel(t.fields.email).fill(email);
  await visitor.button(t.auth.emulated_google_continue).click();
  await page.getByRole('tab', { name: t.home.tab_account }).click();
  await page.getByText(t.profile.password.google).waitFor();
  await page.getByText(t.profile.email.google).waitFor();
  await visitor.button(t.profile.delete.begin).click();
  await page.getByText(t.profile.delete.google).waitFor();
  await page.getByRole('dialog').getByRole('checkbox').check();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t.profile.delete.submit, exact: true })
    .click();
  await page.getByRole('heading', { name: t.profile.delete.done_title }).waitFor();
  expect(await stack.current.identity.findUser(email)).toBeUndefined();
});
