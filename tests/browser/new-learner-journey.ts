import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import purchaseEn from '../../frontend/src/texts/purchase.en.json' with { type: 'json' };
import purchaseNo from '../../frontend/src/texts/purchase.no.json' with { type: 'json' };
import { uniqueEmail } from '#support/identity.ts';
import { Visitor, type JourneyLanguage } from '#support/journey.ts';
import { mailsTo } from '#support/mailbox.ts';
import type { TestProduct } from '#support/stack.ts';

const PASSWORD = 'et godt passord';
const PURCHASE = { no: purchaseNo.payment, en: purchaseEn.payment };
const EXPECTED = {
  no: { card: 'Kortet ditt ble avvist.', price: '149 kr', mail: 'Bekreftelse på betaling' },
  en: { card: 'Your card was declined.', price: '149', mail: 'Confirmation of your payment' },
};

/** Called on the way: with `paid`, or with the number of the answer just given. */
export type Meanwhile = (moment: 'paid' | number) => Promise<void>;

/**
 * A visitor registers, pays with the second card, signs in, answers ten questions and sees the result:
 * what must work wherever the product runs.
 */
export async function newLearnerJourney(
  browser: Browser,
  stack: TestProduct,
  language: JourneyLanguage,
  meanwhile: Meanwhile = async () => {},
): Promise<{ email: string; visitor: Visitor }> {
  const email = uniqueEmail();
  const { t } = language;
  const { card, price, mail } = EXPECTED[language.language];
  const visitor = await Visitor.open(browser, stack, language, '/');
  const { page } = visitor;
  await page.getByText(price).first().waitFor();
  await page.getByRole('link', { name: t.landing.start_quiz }).click();
  await page.waitForURL('**/quiz');

  await page.getByText(t.auth.create_account, { exact: true }).click();
  await visitor.button(t.registration.submit).click();
  await page.getByText(t.fields.fill_in_all).first().waitFor();
  await visitor.fill(t.fields.username, 'Demo');
  await visitor.fill(t.fields.email, 'demo@');
  await visitor.fill(t.fields.password, 'kort');
  await visitor.button(t.registration.submit).click();
  await page.getByText(t.registration.password_short).waitFor();
  await page.getByText(t.fields.email_invalid).waitFor();
  await page.locator('input[name=email][aria-invalid=true]:focus').waitFor();
  await visitor.fill(t.fields.email, email);
  await visitor.fill(t.fields.password, PASSWORD);
  await visitor.button(t.registration.submit).click();

  await page.getByRole('heading', { name: t.registration.billing_title }).waitFor();
  await page.getByText(email).waitFor();
  await visitor.button(t.payment.proceed).click();
  await page.getByText(PURCHASE[language.language].consent_missing).waitFor();
  await page.locator('input[type=checkbox]:focus').waitFor();
  await visitor.agree();
  await visitor.button(t.payment.proceed).click();
  await visitor.payWith('4000000000000002');
  await page.getByRole('alert').getByText(card).waitFor();
  await page.locator('[role=alert]:focus').waitFor();
  expect(await stack.identity.findUser(email)).toBeUndefined();
  await visitor.payWith('4242424242424242');

  await page.getByRole('dialog').getByText(t.registration.success_title).waitFor();
  await meanwhile('paid');
  // It names the amount, and the address that the receipt goes to.
  const paid = page.getByRole('dialog').getByText(email);
  expect(await paid.innerText()).toMatch(/149\skr|NOK\s149/);
  await page.getByRole('dialog').getByText(t.registration.to_login).click();
  await page.waitForURL('**/login');
  expect(await page.getByLabel(t.fields.email, { exact: true }).inputValue()).toBe(email);
  await visitor.signIn(email, PASSWORD);
  await page.getByText(t.home.greeting.replace('{{name}}', 'Demo')).waitFor();

  const subjects = async () => {
    const mails = await mailsTo(stack.mailboxUrl, email);
    return mails.map(({ subject }) => subject);
  };
  await expect.poll(subjects).toEqual([mail]);

  await visitor.startDrill();
  for (let n = 1; n <= 10; n += 1) {
    await visitor.atQuestion(n, 10);
    // A reload in the middle loses nothing.
    if (n === 4) await page.reload().then(() => visitor.atQuestion(n, 10));
    await visitor.answer('right');
    await meanwhile(n);
  }
  await page.waitForURL('**/result');
  await page.getByText(t.result.excellent).waitFor();
  await page
    .getByText(/100\s?%/)
    .first()
    .waitFor();
  return { email, visitor };
}
