import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { launchBrowser } from '@proveklar/tests/support/browser.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { startForTest, stripeAt } from '../test-support.ts';

// What jsdom cannot tell: colours as they are computed, and where the focus may go.

/** Of the page, where `evaluate` runs; the rest of `local/` has no DOM. */
declare const getComputedStyle: (element: unknown, pseudo?: string) => { color: string };

let browser: Awaited<ReturnType<typeof launchBrowser>>;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const STYLE = {
  base: {
    color: '#eeeeee',
    iconColor: '#cccccc',
    '::placeholder': { color: '#aaaaaa' },
  },
  invalid: { color: '#ff8888', iconColor: '#ff0000' },
};

/** A dark page of another origin, with the script of the stand-in and a card form. */
const pageOf = (url: string, clientSecret: string, locale: string) => `<!doctype html>
  <html lang="en"><title>Pay</title>
  <style>:root { color-scheme: dark; } body { background: #111; }</style>
  <script src="${url}/stripe.js"></script>
  <form id="form"><div id="card"></div><button id="pay">Pay</button></form>
  <output></output>
  <script>
    const stripe = Stripe('pk_test_local', { locale: '${locale}' });
    const card = stripe.elements().create('card', ${JSON.stringify({ hidePostalCode: true, style: STYLE })});
    card.mount('#card');
    document.querySelector('form').addEventListener('submit', async (event) => {
      event.preventDefault();
      const result = await stripe.confirmCardPayment('${clientSecret}', { payment_method: { card } });
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

async function openPage(locale = 'en') {
  const { url } = await startForTest();
  const stripe = stripeAt(url);
  const intent = await stripe.paymentIntents.create({ amount: 14_900, currency: 'nok' });
  const page = await browser.newPage({ colorScheme: 'dark' });
  onTestFinished(() => page.close());
  await page.goto(await serve(pageOf(url, String(intent.client_secret), locale)));
  const fill = async (number: string) => {
    await page.locator('input[name=cardnumber]').fill(number);
    await page.locator('input[name=exp-date]').fill('12/40');
    await page.locator('input[name=cvc]').fill('123');
  };
  const colorOf = (selector: string, pseudo?: string) =>
    page.locator(selector).evaluate((it, pseudo) => getComputedStyle(it, pseudo).color, pseudo);
  return { page, stripe, intent, fill, colorOf };
}

test('the card form has the colours that the page gives it', async () => {
  const { fill, colorOf } = await openPage();
  expect(await colorOf('input[name=cvc]')).toBe('rgb(238, 238, 238)');
  expect(await colorOf('input[name=cvc]', '::placeholder')).toBe('rgb(170, 170, 170)');
  expect(await colorOf('.icon')).toBe('rgb(204, 204, 204)');
  await fill('4242424242424242');
  expect(await colorOf('.icon')).toBe('rgb(204, 204, 204)');
  await fill('4242424242424241');
  expect(await colorOf('input[name=cardnumber]')).toBe('rgb(255, 136, 136)');
  expect(await colorOf('input[name=cvc]')).toBe('rgb(238, 238, 238)');
  expect(await colorOf('.icon')).toBe('rgb(255, 0, 0)');
});
