import { describe, expect, test } from 'vitest';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages, LANGUAGES } from '#support/journey.ts';
import { CARDS, withPurchases } from '#support/purchases.ts';

// The provider's form: what it asks for, how it looks, and what is passed to the provider.

const { stripe, onlyPayment, inLanguage } = withPurchases();

/** In the page, where these run. */
declare const getComputedStyle: (element: unknown) => Record<string, string>;
declare const localStorage: { getItem(name: string): string | null };

const INCOMPLETE = {
  no: 'Kortnummeret ditt er ufullstendig.',
  en: 'Your card number is incomplete.',
};

/** The details that the bank gets with the paid charge. */
async function billingDetails(email: string) {
  const { payment_intent_id: id } = await onlyPayment(email);
  const { latest_charge } = await stripe().paymentIntents.retrieve(id, {
    expand: ['latest_charge'],
  });
  return typeof latest_charge === 'object' ? latest_charge?.billing_details : null;
}

describe.each(drawLanguages())('$language', (language) => {
  const { t, alert, sees, startRegistration, toCard, atBilling, registered } = inLanguage(language);

  test('an incomplete card is not sent, and no notice of a payment stays', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    await toCard(visitor);
    await visitor.page.getByRole('button', { name: /^(Betal|Pay) / }).click();
    await sees(visitor, alert(visitor, INCOMPLETE[language.language]));
    const notice = await visitor.page.evaluate(() => localStorage.getItem('payment'));
    expect(notice).not.toContain('unfinished');
    await visitor.payWith(CARDS.good);
    await registered(visitor);
    expect(await billingDetails(email)).toMatchObject({
      name: 'Demo',
      email,
      address: { country: null, postal_code: null },
    });
  });

  test('the form is loaded again after a failure', async () => {
    const { visitor, email } = await atBilling();
    const { page } = visitor;
    await page.route('**/v1/payment_intents/*', (route) => route.abort());
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    await sees(visitor, alert(visitor, t.payment.load_failed));
    await page.unroute('**/v1/payment_intents/*');
    await visitor.button(t.actions.retry).click();
    await visitor.payWith(CARDS.good);
    await page.getByRole('dialog').getByText(t.billing.success_title).waitFor();
    expect(await billingDetails(email)).toMatchObject({ email });
  });
});

test('card form code that could not be loaded is loaded again, and the registration goes on', async () => {
  const { t, alert, startRegistration, registered } = inLanguage(LANGUAGES[0]);
  const visitor = await startRegistration(uniqueEmail());
  const { page } = visitor;
  await page.route('**/assets/card-payment-*.js', (route) => route.abort());
  await visitor.agree();
  await visitor.button(t.payment.proceed).click();
  await alert(visitor, t.payment.load_failed).waitFor();
  await page.unroute('**/assets/card-payment-*.js');
  await visitor.button(t.actions.retry).click();
  await visitor.payWith(CARDS.good);
  await registered(visitor);
});

test('an address that the provider refuses does not prevent the payment', async () => {
  const [norwegian] = LANGUAGES;
  const { t, atBilling, toCard } = inLanguage(norwegian);
  const { visitor, email } = await atBilling();
  const { page } = visitor;
  await toCard(visitor);
  const confirm = '**/v1/payment_intents/*/confirm';
  await page.route(
    confirm,
    (route) =>
      route.fulfill({
        status: 400,
        headers: { 'access-control-allow-origin': '*' },
        json: { error: { type: 'invalid_request_error', code: 'email_invalid', message: 'No' } },
      }),
    { times: 1 },
  );
  await visitor.payWith(CARDS.good);
  await page.getByRole('dialog').getByText(t.billing.success_title).waitFor();
  expect(await billingDetails(email)).toMatchObject({ email: null });
});

test('the form has 16 px, no address, and the colours of the page, also when they change', async () => {
  const { toCard, atBilling } = inLanguage(LANGUAGES[0]);
  const { visitor } = await atBilling();
  const { page } = visitor;
  await toCard(visitor);
  const fields = page.locator('[class=form] input');
  const names = await fields.evaluateAll((all: unknown[]) =>
    (all as { name: string }[]).map(({ name }) => name),
  );
  expect(names).toEqual(['number', 'expiry', 'cvc']);
  const look = async () => {
    const style = await page.locator('input[name=number]').evaluate((it) => {
      const { fontSize, color, backgroundColor } = getComputedStyle(it);
      return { fontSize, color, backgroundColor };
    });
    const around = await page.locator('main').evaluate((it) => getComputedStyle(it).color);
    return { ...style, around };
  };
  const light = await look();
  expect(light).toMatchObject({ fontSize: '16px', backgroundColor: 'rgb(255, 255, 255)' });
  expect(light.color).toBe(light.around);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(async () => (await look()).backgroundColor).toBe('rgb(19, 36, 47)');
  const dark = await look();
  expect(dark.color).toBe(dark.around);
  expect(dark.color).not.toBe(light.color);
});
