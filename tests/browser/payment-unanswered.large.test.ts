import { describe, expect, test } from 'vitest';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages } from '#support/journey.ts';
import { CARDS, CONFIRMATIONS, filled, PASSWORD, withPurchases } from '#support/purchases.ts';

const { stack, control, onlyPayment, inLanguage } = withPurchases();

describe.each(drawLanguages())('$language', (language) => {
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

  test('retries a charged payment without an answer, and never pays twice, also after a reload', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    const { page } = visitor;
    await toCard(visitor);
    await page.route(CONFIRMATIONS, (route) => route.abort());
    await visitor.payWith(CARDS.good);
    await sees(visitor, alert(visitor, t.payment.unsettled_title));
    const message = filled(t.payment.confirm_failed, { message: t.error.network });
    await alert(visitor, message).waitFor();
    expect(
      await link(visitor, `${purchase.paid_link} (${purchase.new_tab})`).getAttribute('href'),
    ).toBe('/betalt');
    await page.reload();
    await page.unroute(CONFIRMATIONS);
    await page.getByText(purchase.unfinished_title).waitFor();
    await sees(visitor, link(visitor, `${purchase.paid_link} (${purchase.new_tab})`));
    // After the notice is dismissed, it is still the same payment.
    await visitor.button(purchase.unfinished_dismiss).click();
    await page.locator('input[name=username]:focus').waitFor();
    await page.reload();
    await visitor.button(t.registration.submit).waitFor();
    expect(await page.getByText(purchase.unfinished_title).count()).toBe(0);
    await fillForm(visitor, email);
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    // No card is asked for: the page knows that it was charged.
    await registered(visitor);
    expect((await onlyPayment(email)).state).toBe('settled');
    await stack.current.identity.signInWithPassword(email, PASSWORD);
  });

  test('says that the payment provider cannot be reached, and recovers by a retry', async () => {
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
    await visitor.page.locator('input[name=number]').waitFor();
    const mute = await control().addFault({
      kind: 'error',
      call: 'GET /v1/payment_intents/:id',
      times: 1000,
    });
    await visitor.payWith(CARDS.good);
    const said = alert(visitor, filled(t.payment.confirm_failed, { message: reason }));
    await said.waitFor();
    await link(visitor, `${purchase.paid_link} (${purchase.new_tab})`).waitFor();
    await control().removeFault(mute.id);
    // Unless the webhook is faster: then a live update removes the button.
    const retry = visitor.button(t.actions.retry);
    const paid = visitor.page.getByRole('dialog').getByText(t.billing.success_title);
    await Promise.race([retry.click().catch(() => {}), paid.waitFor()]);
    await paid.waitFor();
    expect((await onlyPayment(email)).state).toBe('settled');
  });

  test('offers a retry of what could not be loaded', async () => {
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
    await page.locator('input[name=number]').waitFor();
  });
});
