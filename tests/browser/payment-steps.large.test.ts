import { CURRENT_CONSENT } from '@proveklar/contract/consent-texts.ts';
import { describe, expect, test } from 'vitest';
import { setPrice } from '#support/factories.ts';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages } from '#support/journey.ts';
import { mailsTo } from '#support/mailbox.ts';
import { tokenIn } from '#support/password-mails.ts';
import { CARDS, CONFIRMATIONS, PASSWORD, withPurchases } from '#support/purchases.ts';

const { stack, stripe, listPaymentsOf, onlyPayment, inLanguage } = withPurchases();

describe.each(drawLanguages())('$language', (language) => {
  const { t, purchase, open, sees, fillForm, startRegistration, toCard, atBilling, registered } =
    inLanguage(language);
  const pay = /^(Betal|Pay) 149/;

  test('sends nothing without consent, and stores the consent with the one payment', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    const sent: string[] = [];
    visitor.page.on('request', (request) => {
      if (request.url().includes('/api/v1/payment/')) sent.push(request.url());
    });
    expect(await visitor.page.getByRole('checkbox').isChecked()).toBe(false);
    await visitor.button(t.payment.proceed).click();
    await sees(visitor, visitor.page.getByText(purchase.consent_missing));
    await visitor.page.locator('input[type=checkbox]:focus').waitFor();
    expect(sent).toEqual([]);
    await toCard(visitor);
    expect(await visitor.page.getByRole('button', { name: pay }).innerText()).toMatch(/30/);
    const { consent_version } = await onlyPayment(email);
    expect(consent_version).toBe(CURRENT_CONSENT[language.language]);
    // Going back and forward keeps the same purchase.
    await visitor.button(purchase.back).click();
    await visitor.button(purchase.change_details).click();
    await fillForm(visitor, email);
    await toCard(visitor);
    expect((await onlyPayment(email)).state).toBe('open');
    const isCancelled = Promise.withResolvers<void>();
    await visitor.page.route('**/payment/cancel', async (route) => {
      await isCancelled.promise;
      await route.abort();
    });
    await visitor.button(purchase.cancel).click();
    // Until the answer is there, nothing can be paid.
    await visitor.page.getByRole('button', { name: pay, disabled: true }).waitFor();
    await visitor.page.getByRole('button', { name: purchase.cancel, disabled: true }).waitFor();
    isCancelled.resolve();
    await sees(visitor, visitor.page.getByText(purchase.problem.cancel_unknown_text));
    await visitor.page.unroute('**/payment/cancel');
    await visitor.button(purchase.start_again).click();
    await fillForm(visitor, email);
    await toCard(visitor);
    expect((await onlyPayment(email)).state).toBe('open');
    await visitor.button(purchase.cancel).click();
    await sees(visitor, visitor.page.getByText(purchase.problem.cancelled_text));
    expect(await onlyPayment(email)).toMatchObject({
      state: 'cancelled',
      cancel_reason: 'learner',
    });
  });

  test('sends the payer of a squatted address to their mailbox', async () => {
    const { identity } = stack.current;
    const { email } = await identity.createPasswordUser(uniqueEmail(), 'of the stranger');
    const visitor = await startRegistration(email);
    await toCard(visitor);
    await visitor.payWith(CARDS.good);
    await registered(visitor);
    const dialog = visitor.page.getByRole('dialog');
    const text = purchase.registered.mailed_text_other.replace('{{count}}', '30');
    await sees(visitor, dialog.getByText(text));
    const { mailboxUrl, url } = stack.current;
    const tokens = async () =>
      (await mailsTo(mailboxUrl, email)).flatMap(({ text }) => tokenIn(text) ?? []);
    await expect.poll(tokens).toHaveLength(1);
    const [token] = await tokens();
    await fetch(`${url}/api/v1/password/choose`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password: 'of the owner' }),
    });
    await visitor.button(t.registration.to_login).click();
    await visitor.signIn(email, 'of the owner');
  });

  test('goes one step back, and neither Back nor a reload loses a name or pays twice', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    const { page } = visitor;
    await toCard(visitor);
    const billing = page.getByRole('heading', { name: t.registration.billing_title });
    const field = (name: string) => page.locator(`input[name=${name}]`);
    await page.goBack();
    await billing.waitFor();
    await page.goBack();
    await field('username').waitFor();
    expect(await field('username').inputValue()).toBe('Demo');
    expect(await field('email').inputValue()).toBe(email);
    await page.goForward();
    await billing.waitFor();
    await toCard(visitor);
    expect(
      await page.evaluate('JSON.stringify([history.state, localStorage, sessionStorage])'),
    ).not.toContain(PASSWORD);
    await page.reload();
    await field('password').waitFor();
    expect(await field('username').inputValue()).toBe('Demo');
    expect(await field('email').inputValue()).toBe(email);
    await visitor.fill(t.fields.password, PASSWORD);
    await visitor.button(t.registration.submit).click();
    await toCard(visitor);
    await visitor.payWith(CARDS.good);
    await registered(visitor);
    expect((await onlyPayment(email)).state).toBe('settled');
  });

  test('makes one payment in two tabs', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    const other = await visitor.page.context().newPage();
    await other.goto(`${stack.current.url}/quiz?mode=register`);
    await other.getByLabel(t.fields.username, { exact: true }).fill('Demo');
    await other.getByLabel(t.fields.email, { exact: true }).fill(email);
    await other.getByLabel(t.fields.password, { exact: true }).fill(PASSWORD);
    await other.getByRole('button', { name: t.registration.submit, exact: true }).click();
    await other.getByRole('heading', { name: t.registration.billing_title }).waitFor();
    await toCard(visitor);
    await visitor.payWith(CARDS.good);
    await registered(visitor);
    await onlyPayment(email);
  });

  test('shows days paid for in another tab without a reload, and asks for no card', async () => {
    const { visitor, email } = await atBilling();
    const days = (count: number) => visitor.page.getByText(String(count), { exact: true });
    await days(30).waitFor();
    await toCard(visitor);
    const { payment_intent_id: id } = await onlyPayment(email);
    await stripe().paymentIntents.confirm(id, {
      payment_method: 'pm_card_visa',
      return_url: 'https://example.no',
    });
    await days(60).waitFor();
    await sees(visitor, visitor.page.getByText(purchase.extended.title));
    expect(await visitor.page.locator('input[name=number]').count()).toBe(0);
  });

  test('says that access has become free since the page was loaded, and takes no payment', async () => {
    const { visitor, email } = await atBilling();
    await setPrice(stack.current.database.pool, 0);
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    await sees(visitor, visitor.page.getByText(t.billing.free));
    expect(await listPaymentsOf(email)).toEqual([]);
  });

  test('stays on the page after a double press that creates a free account', async () => {
    await setPrice(stack.current.database.pool, 0);
    const visitor = await open('/quiz');
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height: 640 });
    await startRegistration(uniqueEmail(), visitor);
    // The second press meets the waiting state.
    const asked = Promise.withResolvers<void>();
    const pressed = Promise.withResolvers<void>();
    await page.route(CONFIRMATIONS, async (route) => {
      asked.resolve();
      await pressed.promise;
      await route.continue();
    });
    const button = visitor.button(t.registration.create_free);
    await button.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await button.boundingBox())!;
    const finger = [x + width / 2, y + height / 2] as const;
    await page.mouse.click(...finger);
    await asked.promise;
    await button.waitFor({ state: 'detached' });
    // The footer would slide up under the pointer if the card became shorter.
    const isInContent = await page.evaluate<boolean>(
      `document.elementFromPoint(${finger.join()})?.closest('main') != null`,
    );
    expect(isInContent).toBe(true);
    await page.mouse.click(...finger);
    pressed.resolve();
    await registered(visitor);
    expect(new URL(page.url()).pathname).toBe('/quiz');
  });
});
