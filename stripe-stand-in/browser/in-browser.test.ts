import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { useBrowser } from '@proveklar/tests/support/browser.ts';
import type { Stripe as StripeJs, StripeElements } from '@stripe/stripe-js';
import { expect, onTestFinished, test } from 'vitest';

import { controlAt } from '../control/client.ts';
import { startForTest, stripeAt } from '../test-support.ts';

// Tests that jsdom cannot run: computed colours, and where the focus may go.

/** Globals of the page, where `evaluate` runs; this workspace has no DOM types. */
declare const stripeJs: Pick<StripeJs, 'handleNextAction' | 'handleCardAction'>;
declare const elements: Pick<StripeElements, 'update'>;
declare const getComputedStyle: (element: unknown, pseudo?: string) => { color: string };

const browser = useBrowser();

const APPEARANCE = {
  theme: 'night',
  variables: { colorText: '#eeeeee', colorTextPlaceholder: '#aaaaaa', colorDanger: '#ff8888' },
  rules: { '.Label': { color: '#cccccc' } },
};
const FIELDS = { billingDetails: { address: { country: 'never', postalCode: 'never' } } };

/** A dark page of another origin, with the script of the stand-in and a payment form. */
const pageOf = (
  url: string,
  clientSecret: string,
  locale: string,
  redirect: string,
) => `<!doctype html>
  <html lang="en"><title>Pay</title>
  <style>:root { color-scheme: dark; } body { background: #111; }</style>
  <script src="${url}/stripe.js"></script>
  <form id="form"><div id="payment"></div><button id="pay">Pay</button></form>
  <output></output>
  <script>
    const stripe = (window.stripeJs = Stripe('pk_test_local', { locale: '${locale}' }));
    const elements = (window.elements = stripe.elements({
      clientSecret: '${clientSecret}', appearance: ${JSON.stringify(APPEARANCE)},
    }));
    elements.create('payment', { fields: ${JSON.stringify(FIELDS)} }).mount('#payment');
    document.querySelector('form').addEventListener('submit', async (event) => {
      event.preventDefault();
      const result = await stripe.confirmPayment({
        elements,
        redirect: '${redirect}',
        confirmParams: {
          return_url: location.href,
          payment_method_data: { billing_details: { address: { country: null, postal_code: null } } },
        },
      });
      document.querySelector('output').textContent = JSON.stringify(result);
    });
  </script>`;

async function serve(html: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function openPage(locale = 'en', redirect = 'if_required') {
  const { url } = await startForTest();
  const stripe = stripeAt(url);
  const intent = await stripe.paymentIntents.create({ amount: 14_900, currency: 'nok' });
  const page = await browser.current.newPage({ colorScheme: 'dark' });
  page.setDefaultTimeout(15_000);
  onTestFinished(() => page.close());
  await page.goto(await serve(pageOf(url, String(intent.client_secret), locale, redirect)));
  const fill = async (number: string) => {
    await page.locator('input[name=number]').fill(number);
    await page.locator('input[name=expiry]').fill('12/40');
    await page.locator('input[name=cvc]').fill('123');
  };
  const result = async () => {
    await page.locator('output:not(:empty)').waitFor();
    return JSON.parse(await page.locator('output').innerText()) as unknown;
  };
  const colorOf = (selector: string, pseudo?: string) =>
    page.locator(selector).evaluate((it, pseudo) => getComputedStyle(it, pseudo).color, pseudo);
  return { page, stripe, control: controlAt(url), intent, fill, result, colorOf };
}

test('the form looks as the page asks, also after a change', async () => {
  const { page, fill, colorOf } = await openPage();
  expect(await colorOf('input[name=cvc]')).toBe('rgb(238, 238, 238)');
  expect(await colorOf('input[name=cvc]', '::placeholder')).toBe('rgb(170, 170, 170)');
  expect(await colorOf('.Label >> nth=0')).toBe('rgb(204, 204, 204)');
  await fill('4242424242424241');
  expect(await colorOf('input[name=number]')).toBe('rgb(255, 136, 136)');
  expect(await colorOf('#Field-numberError')).toBe('rgb(255, 136, 136)');
  expect(await colorOf('input[name=cvc]')).toBe('rgb(238, 238, 238)');
  await page.evaluate(() => elements.update({ appearance: { variables: { colorText: '#111' } } }));
  expect(await colorOf('input[name=cvc]')).toBe('rgb(17, 17, 17)');
});

test("without redirect: 'if_required', a successful payment leaves for the return_url", async () => {
  const { page, intent, fill } = await openPage('en', 'always');
  await fill('4242424242424242');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.waitForURL(/redirect_status=succeeded/);
  expect(new URL(page.url()).searchParams.get('payment_intent')).toBe(intent.id);
});

test('a click on a label and Enter work as in any form', async () => {
  const { page, fill, result } = await openPage();
  await page.getByText('Security code').click();
  await page.locator('input[name=cvc]:focus').waitFor();
  await fill('4242424242424242');
  await page.keyboard.press('Enter');
  expect(await result()).toMatchObject({ paymentIntent: { status: 'succeeded' } });
});

test.each([
  ['en', '4000002500003155', 'Complete authentication'],
  ['nb', '4000002760003184', 'Fullfør autentisering'],
])('3D Secure asks in %s, and the payment goes on', async (locale, number, complete) => {
  const { page, stripe, intent, fill, result } = await openPage(locale);
  await fill(number);
  await page.getByRole('button', { name: 'Pay' }).click();
  const dialog = page.getByRole('dialog', { name: '3D Secure' });
  expect(await dialog.innerText()).toContain('149');
  await dialog.getByRole('button', { name: complete }).click();
  expect(await result()).toMatchObject({ paymentIntent: { id: intent.id, status: 'succeeded' } });
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
});

test('the dialog keeps the focus and restores it afterwards, and Escape fails the authentication', async () => {
  const { page, fill, result } = await openPage('nb');
  await fill('4000002500003155');
  await page.getByRole('button', { name: 'Pay' }).click();
  const complete = page.locator('#test-source-authorize-3ds');
  const fail = page.locator('#test-source-fail-3ds');
  await complete.waitFor();
  const isFocused = (it: typeof fail) =>
    it.evaluate((it: unknown) => (it as { matches(selector: string): boolean }).matches(':focus'));
  for (const [key, focused] of [
    [null, complete],
    ['Tab', fail],
    ['Tab', complete],
    ['Shift+Tab', fail],
  ] as const) {
    if (key !== null) await page.keyboard.press(key);
    expect(await isFocused(focused)).toBe(true);
  }
  await page.keyboard.press('Escape');
  expect(await result()).toMatchObject({
    error: {
      code: 'payment_intent_authentication_failure',
      message:
        'Vi kan ikke autentisere betalingsmåten din. Velg en annen betalingsmåte og prøv igjen.',
      payment_intent: { status: 'requires_payment_method' },
    },
  });
  expect(await isFocused(page.getByRole('button', { name: 'Pay' }))).toBe(true);
});

test('a card that is declined after 3D Secure is a card error', async () => {
  const { page, fill, result } = await openPage();
  await fill('4000008400001629');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.locator('#test-source-authorize-3ds').click();
  expect(await result()).toMatchObject({
    error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
  });
});

test('handleNextAction completes an action that the server started, once only', async () => {
  const { page, stripe, intent, control } = await openPage();
  await stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_authenticationRequired',
  });
  const handle = () =>
    page.evaluate(
      (clientSecret) => stripeJs.handleNextAction({ clientSecret }),
      String(intent.client_secret),
    );
  const handled = handle();
  await page.locator('#test-source-fail-3ds').waitFor();
  // The authentication was completed elsewhere before the click.
  await control.authenticate(intent.id, 'complete');
  await page.locator('#test-source-fail-3ds').click();
  expect(await handled).toMatchObject({ paymentIntent: { status: 'succeeded' } });
  expect(await handle()).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } });
});

test('a redirect leads to the bank and back', async () => {
  const { page, stripe, intent } = await openPage();
  const address = page.url();
  await stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_authenticationRequired',
    return_url: address,
  });
  await page.evaluate((secret) => {
    void stripeJs.handleCardAction(secret);
  }, String(intent.client_secret));
  await page.getByRole('button', { name: 'Complete authentication' }).click();
  await page.waitForURL(/redirect_status=succeeded/);
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
});
