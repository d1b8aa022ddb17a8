import { expect, test } from 'vitest';
import { useBrowser } from '#support/browser.ts';
import { LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();

test.each(LANGUAGES)('a forgotten password is replaced ($language)', async (language) => {
  const { t } = language;
  const { email } = await newLearner(stack.current);
  const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
  const { page } = visitor;
  await visitor.fill(t.fields.email, email);
  await page.getByRole('link', { name: t.auth.forgot }).click();
  // The typed address is filled in.
  await page.getByRole('heading', { name: t.auth.reset_title }).waitFor();
  await page.locator('h1:focus').waitFor();
  expect(await page.getByLabel(t.fields.email).inputValue()).toBe(email);
  const asked = page.waitForRequest(/accounts:sendOobCode/);
  await visitor.button(t.auth.reset_send).click();
  // The emulator ignores the language, so the request is checked.
  expect((await asked).headers()['x-firebase-locale']).toBe(language.language);
  await page.getByRole('heading', { name: t.auth.reset_sent_title }).waitFor();

  const [mail] = await stack.current.identity.mailedCodes(email);
  expect(mail?.requestType).toBe('PASSWORD_RESET');
  await stack.current.identity.resetPassword(mail?.oobCode ?? '', 'et nytt passord');
  await page.getByRole('link', { name: t.auth.reset_back }).click();
  await visitor.signIn(email, 'et nytt passord');
  await visitor.button(t.actions.sign_out).waitFor();
  expect(visitor.complaints).toEqual([]);
});
