import { describe, expect, test } from 'vitest';
import purchaseEn from '../../frontend/src/i18n/purchase/en/payment.json' with { type: 'json' };
import purchaseNo from '../../frontend/src/i18n/purchase/no/payment.json' with { type: 'json' };
import { uniqueEmail } from '#support/identity.ts';
import { expectCounted, LANGUAGES, useBrowser, Visitor } from '#support/journey.ts';
import { mailsTo } from '#support/mailbox.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const PASSWORD = 'et godt passord';

const PURCHASE = { no: purchaseNo, en: purchaseEn };
const EXPECTED = {
  no: { card: 'Kortet ditt ble avvist.', price: '149 kr', mail: 'Bekreftelse på betaling' },
  en: { card: 'Your card was declined.', price: '149', mail: 'Confirmation of your payment' },
};

describe.each(LANGUAGES)('somebody new ($language)', (language) => {
  const { t } = language;
  const { card, price, mail } = EXPECTED[language.language];

  test('registers, pays, signs in, takes a quiz and sees the result', async () => {
    const email = uniqueEmail();
    const visitor = await Visitor.open(browser.current, stack.current, language, '/');
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
    expect(await stack.current.identity.findUser(email)).toBeUndefined();
    await visitor.payWith('4242424242424242');

    await page.getByRole('dialog').getByText(t.registration.success_title).waitFor();
    // With the amount, and where the receipt goes.
    const paid = page.getByRole('dialog').getByText(email);
    expect(await paid.innerText()).toMatch(/149,00\sNOK/);
    await page.getByRole('dialog').getByText(t.registration.to_login).click();
    await page.waitForURL('**/login');
    expect(await page.getByLabel(t.fields.email, { exact: true }).inputValue()).toBe(email);
    await visitor.signIn(email, PASSWORD);
    await page.getByText(t.home.greeting.replace('{{name}}', 'Demo')).waitFor();

    const subjects = async () => {
      const mails = await mailsTo(stack.current.mailboxUrl, email);
      return mails.map(({ subject }) => subject);
    };
    await expect.poll(subjects, { timeout: 5_000 }).toEqual([mail]);

    await visitor.startDrill();
    for (let n = 1; n <= 10; n += 1) {
      await visitor.atQuestion(n, 10);
      // A reload in the middle loses nothing.
      if (n === 4) await page.reload().then(() => visitor.atQuestion(n, 10));
      await visitor.answer('right');
    }
    await page.waitForURL('**/result');
    await page.getByText(t.result.excellent).waitFor();
    await page
      .getByText(/100\s?%/)
      .first()
      .waitFor();
    await expectCounted(stack.current, email, { selected: 10, correct: 10, incorrect: 0 });
    expect(visitor.complaints).toEqual([]);
  });

  test('who has an account practises at once, and leaves a quiz', async () => {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    await visitor.fill(t.fields.email, 'learner@example.no');
    await visitor.fill(t.fields.password, 'wrong password');
    await visitor.button(t.auth.sign_in).click();
    await page.getByText(t.auth.error.wrong_credentials).waitFor();
    await page.locator('[role=alert]:focus').waitFor();
    visitor.complaints = [];
    await visitor.signIn('learner@example.no', 'proveklar-demo');
    await page.locator('h1:focus').waitFor();
    await visitor.button(t.quiz.start_practice).click();
    await visitor.atQuestion(1, 38);
    await visitor.answer('right');
    await visitor.button(t.run.exit).click();
    await page.getByRole('dialog').getByText(t.run.exit_confirm).click();
    await page.waitForURL('**/quiz');
    await visitor.button(t.actions.sign_out).click();
    await visitor.button(t.auth.sign_in).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
