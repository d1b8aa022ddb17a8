import { describe, expect, test } from 'vitest';
import { uniqueEmail } from '#support/identity.ts';
import { LANGUAGES } from '#support/journey.ts';
import { CARDS, CONFIRMATIONS, filled, PASSWORD, withPurchases } from '#support/purchases.ts';

const { stack, control, onlyPayment, inLanguage } = withPurchases();

describe.each(LANGUAGES)('$language', (language) => {
  const {
    t,
    purchase,
    alert,
    link,
    sees,
    fillForm,
    startRegistration,
    toCard,
    atBilling,
    registered,
  } = inLanguage(language);

  test('charged, and then no answer: asked again, never paid again, also after a reload', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    const { page } = visitor;
    await toCard(visitor);
    await page.route(CONFIRMATIONS, (route) => route.abort());
    await visitor.payWith(CARDS.good);
    await sees(visitor, alert(visitor, t.payment.unsettled_title));
    const message = filled(t.payment.confirm_failed, { message: t.error.network });
    await alert(visitor, message).waitFor();
    expect(await link(visitor, purchase.paid_link).getAttribute('href')).toBe('/betalt');
    await page.reload();
    await page.unroute(CONFIRMATIONS);
    await page.getByText(purchase.unfinished_title).waitFor();
    await sees(visitor, link(visitor, purchase.paid_link));
    // Dismissed, it is the same payment all the same.
    await visitor.button(purchase.unfinished_dismiss).click();
    await page.locator('input[name=username]:focus').waitFor();
    await page.reload();
    await visitor.button(t.registration.submit).waitFor();
    expect(await page.getByText(purchase.unfinished_title).count()).toBe(0);
    await fillForm(visitor, email);
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    // No card is asked for: it is known that it was charged.
    await registered(visitor);
    expect((await onlyPayment(email)).state).toBe('settled');
    await stack.current.identity.signInWithPassword(email, PASSWORD);
  });

  test('the payment provider cannot be reached: said, and mended by trying again', async () => {
    const { visitor, email } = await atBilling();
    const down = await control().addFault({
      kind: 'error',
      call: 'POST /v1/payment_intents',
      times: 100,
    });
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    const reason = t.error.code.payment_provider_failed;
    await sees(visitor, alert(visitor, filled(t.payment.intent_failed, { message: reason })));
    await control().removeFault(down.id);
    await visitor.button(t.payment.proceed).click();
    await visitor.page.locator('input[name=cardnumber]').waitFor();
    const mute = await control().addFault({
      kind: 'error',
      call: 'GET /v1/payment_intents/:id',
      times: 1000,
    });
    await visitor.payWith(CARDS.good);
    const said = alert(visitor, filled(t.payment.confirm_failed, { message: reason }));
    await said.waitFor();
    await link(visitor, purchase.paid_link).waitFor();
    await control().removeFault(mute.id);
    // Unless the webhook is quicker: the screen hears of that too, and the button is gone.
    const retry = visitor.button(t.actions.retry);
    const paid = visitor.page.getByRole('dialog').getByText(t.billing.success_title);
    await Promise.race([retry.click().catch(() => {}), paid.waitFor()]);
    await paid.waitFor();
    expect((await onlyPayment(email)).state).toBe('settled');
  });

  test('what cannot be loaded can be tried again', async () => {
    const { visitor } = await atBilling();
    const { page } = visitor;
    await page.route('**/api/v1/account', (route) => route.abort());
    await page.reload();
    await sees(visitor, alert(visitor, t.account.load_failed));
    await page.unroute('**/api/v1/account');
    await page.route('**/stripe.js', (route) => route.abort());
    await page.reload();
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    await alert(visitor, t.payment.load_failed).waitFor();
    await page.unroute('**/stripe.js');
    await visitor.button(t.actions.retry).click();
    await page.locator('input[name=cardnumber]').waitFor();
  });
});
