import { expect, test } from 'vitest';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, newLearner, Visitor } from '#support/journey.ts';
import { mailsTo } from '#support/mailbox.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const languages = drawLanguages();
const PHONE = { viewport: { width: 360, height: 780 } };
const SUBJECTS = { no: 'Velg nytt passord', en: 'Choose a new password' };
const PASSWORD = 'et nytt passord';

test.each(languages)('a forgotten password is replaced ($language)', async (language) => {
  const { t } = language;
  const { current } = stack;
  const { email } = await newLearner(current);
  const visitor = await Visitor.open(browser.current, current, language, '/login', PHONE);
  const { page } = visitor;
  await visitor.fill(t.fields.email, email);
  await page.getByRole('link', { name: t.auth.forgot }).click();
  // The typed address is filled in.
  await page.getByRole('heading', { name: t.auth.reset_title }).waitFor();
  await page.locator('h1:focus').waitFor();
  expect(await page.getByLabel(t.fields.email).inputValue()).toBe(email);
  await visitor.button(t.auth.reset_send).click();
  await page.getByRole('heading', { name: t.auth.reset_sent_title }).waitFor();

  const mails = async () => (await mailsTo(current.mailboxUrl, email)).map((mail) => mail.subject);
  await expect.poll(mails).toEqual([SUBJECTS[language.language]]);
  const [mail] = await mailsTo(current.mailboxUrl, email);
  const [link = ''] = /http\S+\/nytt-passord#\S+/.exec(mail!.text) ?? [];
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url(), request.headers().referer ?? ''));
  await page.goto(link);
  await page.getByText(email).waitFor();
  await visitor.fill(t.auth.choose_password, '12345678');
  await visitor.button(t.auth.choose_save).click();
  await page.getByText(t.error.password.common).waitFor();
  await visitor.fill(t.auth.choose_password, PASSWORD);
  await visitor.button(t.auth.choose_save).click();
  await page.getByRole('heading', { name: t.auth.choose_done_title }).waitFor();
  const token = link.split('=')[1]!;
  expect(sent.filter((text) => text.includes(token))).toEqual([]);

  await page.getByRole('link', { name: t.auth.sign_in, exact: true }).click();
  await page.locator('input[type=password]').waitFor();
  expect(await page.getByLabel(t.fields.email).inputValue()).toBe(email);
  await visitor.signIn(email, PASSWORD);
  await visitor.button(t.actions.sign_out).waitFor();

  // The browser reports the refused weak password and the used link.
  const used = await page.context().newPage();
  await used.goto(link);
  await used.getByRole('heading', { name: t.auth.choose_used_title }).waitFor();
  await used.getByRole('link', { name: t.auth.choose_again }).waitFor();
  expect(visitor.complaints).toEqual([expect.stringContaining('400')]);
});

test.each(languages)('a link that is cut off offers a new one ($language)', async (language) => {
  const { t } = language;
  const visitor = await Visitor.open(
    browser.current,
    stack.current,
    language,
    '/nytt-passord',
    PHONE,
  );
  await visitor.page.getByRole('heading', { name: t.auth.choose_unknown_title }).waitFor();
  await visitor.page.getByRole('link', { name: t.auth.choose_again }).click();
  await visitor.page.getByRole('heading', { name: t.auth.reset_title }).waitFor();
  expect(visitor.complaints).toEqual([]);
});
