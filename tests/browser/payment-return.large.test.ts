import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages, type Visitor } from '#support/journey.ts';
import { mailsTo } from '#support/mailbox.ts';
import { tokenIn } from '#support/password-mails.ts';
import { CARDS, PASSWORD, withPurchases } from '#support/purchases.ts';

// Every way out of a payment that leaves for a page of its own, as Vipps does, and every way back: on a phone, in both
// languages. PAYMENT_SCREENS=<folder> keeps a picture of each screen.
const { stack, control, stripe, onlyPayment, inLanguage } = withPurchases({
  // The webhook makes the account almost at once, as it does for a learner who comes back late.
  environment: { PAYMENT_METHODS: 'card,vipps', REGISTRATION_GRACE_SECONDS: '1' },
});
const PHONE = { viewport: { width: 360, height: 780 } };

describe.each(drawLanguages())('$language', (language) => {
  const steps = inLanguage(language);
  const { t, purchase, open, sees, startRegistration, toCard, atBilling, registered } = steps;
  const { returned } = purchase;
  const PAY = /^(Betal|Pay) 149/;

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

  /** Waits for a screen, checks its accessibility and that it fits the phone, and keeps its picture. */
  async function shows(visitor: Visitor, title: string, picture: string): Promise<void> {
    await sees(visitor, heading(visitor.page, title));
    const width = await visitor.page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
    await keepPicture(visitor.page, picture);
  }

  async function keepPicture(page: Page, name: string): Promise<void> {
    const folder = process.env.PAYMENT_SCREENS;
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    const path = `${folder}/${language.language}-${name}.png`;
    await page.screenshot({ path, fullPage: true });
  }

  /** A registration on a phone, at the page of Vipps. */
  async function atVipps(email = uniqueEmail()) {
    const visitor = await startRegistration(email, await open('/quiz', PHONE));
    await leaveForVipps(visitor);
    const { payment_intent_id: id } = await onlyPayment(email);
    return { visitor, email, id };
  }

  async function leaveForVipps(visitor: Visitor): Promise<void> {
    await toCard(visitor);
    const { page } = visitor;
    await page.getByRole('radio', { name: 'Vipps' }).check();
    await keepPicture(page, 'form');
    await page.getByRole('button', { name: PAY }).click();
    await page.locator('#redirect-accept').waitFor();
  }

  /** Chooses a password after the return, and signs in with it. */
  async function choosePassword(visitor: Visitor, email: string): Promise<void> {
    await shows(visitor, returned.paid_title, 'password');
    await visitor.page.getByText(email).waitFor();
    await visitor.fill(t.fields.password, PASSWORD);
    await visitor.button(returned.password_save).click();
    await registered(visitor);
    await keepPicture(visitor.page, 'registered');
    await visitor.button(t.registration.to_login).click();
    await visitor.page.waitForURL('**/login');
    await visitor.signIn(email, PASSWORD);
    await visitor.button(t.actions.sign_out).waitFor();
  }

  const hasAccount = async (email: string) => {
    const { rows } = await stack.current.database.pool.query(
      `select count(*)::int as accounts, coalesce(sum(days), 0)::int as days
       from account left join credit on account_id = account.id where email = $1`,
      [email],
    );
    return rows[0] as unknown;
  };
  const ONE_ACCOUNT = { accounts: 1, days: 30 };

  test('approved: the password is asked for again, and the secret leaves the address', async () => {
    const { visitor, email } = await atVipps();
    const { page } = visitor;
    await keepPicture(page, 'vipps');
    await page.locator('#redirect-accept').click();
    await heading(page, returned.paid_title).waitFor();
    expect(page.url()).not.toContain('secret');
    // A reload finds the payment again.
    await page.reload();
    await visitor.fill(t.fields.password, 'kort');
    await visitor.button(returned.password_save).click();
    await page.getByText(t.registration.password_short).waitFor();
    await choosePassword(visitor, email);
    expect(await hasAccount(email)).toEqual(ONE_ACCOUNT);
    expect(visitor.complaints).toEqual([]);
  });

  test('refused: nothing was charged, and a card pays the same payment on the spot', async () => {
    const { visitor, email, id } = await atVipps();
    const { page } = visitor;
    await page.locator('#redirect-refuse').click();
    await shows(visitor, returned.unpaid_title, 'refused');
    await visitor.button(returned.try_again).click();
    await page.locator('input[name=number]').waitFor();
    await visitor.payWith(CARDS.good);
    await choosePassword(visitor, email);
    expect((await onlyPayment(email)).payment_intent_id).toBe(id);
    expect(await hasAccount(email)).toEqual(ONE_ACCOUNT);
  });

  test('refused, and left for good: the payment is cancelled, and a new one can be started', async () => {
    const { visitor, email } = await atVipps();
    await visitor.page.locator('#redirect-refuse').click();
    await heading(visitor.page, returned.unpaid_title).waitFor();
    await visitor.page.route('**/payment/cancel', (route) => route.abort());
    await visitor.button(purchase.cancel).click();
    await sees(visitor, visitor.page.getByText(purchase.problem.cancel_unknown_title));
    await visitor.page.unroute('**/payment/cancel');
    // Cancelled, but the page does not hear of it.
    await visitor.page.route('**/payment/status', (route) => route.abort());
    await visitor.button(purchase.cancel).click();
    await sees(visitor, visitor.page.getByText(returned.failed_title));
    await heading(visitor.page, returned.unpaid_title).waitFor();
    await visitor.page.unroute('**/payment/status');
    await visitor.button(returned.check_again).click();
    await visitor.page.getByRole('heading', { name: purchase.problem.cancelled_title }).waitFor();
    await keepPicture(visitor.page, 'cancelled');
    await visitor.button(purchase.start_again).click();
    await visitor.page.getByLabel(t.fields.username).waitFor();
    expect(await onlyPayment(email)).toMatchObject({
      state: 'cancelled',
      cancel_reason: 'learner',
    });
  });

  test('back without an answer: the same form finds the same payment, and a card pays it', async () => {
    const { visitor, email, id } = await atVipps();
    const { page } = visitor;
    await page.goBack();
    await page.getByRole('heading', { name: purchase.unfinished_title }).waitFor();
    await keepPicture(page, 'back');
    await steps.fillForm(visitor, email);
    await heading(page, t.registration.billing_title).waitFor();
    await toCard(visitor);
    await page.getByText(purchase.not_confirmed).waitFor();
    await keepPicture(page, 'not-confirmed');
    await visitor.payWith(CARDS.good);
    await registered(visitor);
    expect((await onlyPayment(email)).payment_intent_id).toBe(id);
    expect(await hasAccount(email)).toEqual(ONE_ACCOUNT);
  });

  test('closed at the bank, then opened by its address: waits, and sees the approval in the app', async () => {
    const { visitor, email, id } = await atVipps();
    const { client_secret: secret } = await stripe().paymentIntents.retrieve(id);
    await visitor.page.goto(returnAddress(id, secret!));
    await shows(visitor, returned.requires_action_title, 'closed');
    await control().authenticate(id, 'complete');
    await choosePassword(visitor, email);
  });

  test('in another tab: the account is the same, and the first tab leads back to it', async () => {
    const { visitor, email } = await atVipps();
    const vipps = visitor.page.url();
    const second = visitor.on(await visitor.page.context().newPage());
    await second.page.setViewportSize(PHONE.viewport);
    await second.page.goto(vipps);
    await second.page.locator('#redirect-accept').click();
    await choosePassword(second, email);
    // The page of the bank, opened twice: it is answered already.
    await visitor.page.reload();
    await visitor.page.locator('#redirect-back').click();
    await shows(visitor, returned.settled_title, 'twice');
    expect(await hasAccount(email)).toEqual(ONE_ACCOUNT);
  });

  test('on another device, an hour later: the password can be chosen there', async () => {
    const { visitor, email, id } = await atVipps();
    const vipps = visitor.page.url();
    await visitor.close();
    await control().authenticate(id, 'complete');
    await expect.poll(() => hasAccount(email)).toEqual(ONE_ACCOUNT);
    const phone = await open('/', PHONE);
    await phone.page.goto(vipps);
    await phone.page.locator('#redirect-back').click();
    await choosePassword(phone, email);
  });

  test('never back: a mail has the link to choose the password', async () => {
    const { visitor, email, id } = await atVipps();
    await visitor.close();
    await control().authenticate(id, 'complete');
    const token = async () => {
      const mails = await mailsTo(stack.current.mailboxUrl, email);
      return mails.map(({ text }) => tokenIn(text)).find(Boolean) ?? null;
    };
    await expect.poll(token).not.toBeNull();
    const later = await open('/', PHONE);
    await later.page.goto(`${stack.current.url}/nytt-passord#token=${(await token())!}`);
    await later.fill(t.auth.choose_password, PASSWORD);
    await later.button(t.auth.choose_save).click();
    await later.page.getByRole('link', { name: t.auth.sign_in, exact: true }).click();
    await later.signIn(email, PASSWORD);
    expect(await hasAccount(email)).toEqual(ONE_ACCOUNT);
  });

  test('still processing: says so, then that it is paid', async () => {
    const { visitor, email, id } = await atVipps();
    const { client_secret: secret } = await stripe().paymentIntents.retrieve(id);
    await stripe().paymentIntents.confirm(id, { payment_method: 'pm_card_processing' });
    await visitor.page.goto(returnAddress(id, secret!));
    await shows(visitor, returned.title, 'processing');
    await visitor.page.getByText(purchase.waiting.processing_title).waitFor();
    await control().settle(id, 'succeed');
    await choosePassword(visitor, email);
  });

  test('the server does not answer: the money is safe, and it is asked again', async () => {
    const { visitor, email } = await atVipps();
    const { page } = visitor;
    await page.route('**/payment/status', (route) => route.abort());
    await page.locator('#redirect-accept').click();
    await page.getByText(returned.failed_title).waitFor();
    await keepPicture(page, 'unanswered');
    await page.unroute('**/payment/status');
    await visitor.button(returned.check_again).click();
    await choosePassword(visitor, email);
  });

  test('without its end, the address names no payment, and leads to help', async () => {
    const visitor = await open('/quiz/payment', PHONE);
    await shows(visitor, returned.unknown_title, 'unknown');
    await visitor.page.getByRole('link', { name: purchase.paid_link }).waitFor();
  });

  test('an extension comes back to the learner, also where no learner is signed in', async () => {
    const { visitor } = await atBilling(PHONE);
    await leaveForVipps(visitor);
    const vipps = visitor.page.url();
    await visitor.page.locator('#redirect-accept').click();
    await shows(visitor, returned.settled_title, 'extended');
    await visitor.page.getByText('30').waitFor();
    const elsewhere = await open('/', PHONE);
    await elsewhere.page.goto(vipps);
    await elsewhere.page.locator('#redirect-back').click();
    await shows(elsewhere, returned.settled_title, 'extended-elsewhere');
    await visitor.page.getByRole('link', { name: t.billing.to_quiz }).click();
    await visitor.button(t.actions.sign_out).waitFor();
  });

  const returnAddress = (id: string, secret: string) =>
    `${stack.current.url}/quiz/payment?lng=${language.language}&payment_intent=${id}` +
    `&payment_intent_client_secret=${secret}&redirect_status=succeeded`;
});
