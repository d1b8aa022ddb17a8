import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import pagesNo from '../../frontend/src/texts/pages.no.json' with { type: 'json' };
import translationNo from '../../frontend/src/texts/translation.no.json' with { type: 'json' };
import { openContext, useBrowser } from '#support/browser.ts';
import { addDays } from '#support/factories.ts';
import type { SignedIn } from '#support/identity.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const no = { ...translationNo, ...pagesNo };
const DAYS = 20;
const BOUGHT = 30;
let context: BrowserContext;
let page: Page;
let user: SignedIn & { password: string };
const browser = useBrowser();

beforeEach(async () => {
  user = await stack.current.identity.createPasswordUser();
  await addDays(stack.current.database.pool, user, DAYS);
  context = await openContext(browser.current, { locale: 'nb-NO' });
  page = await context.newPage();
});
afterEach(() => context.close());

/** In the account tab: the home says it in the last days only. */
const daysLeft = (count: number) =>
  page
    .locator('dl > div', { hasText: no.account.days_remaining })
    .getByText(String(count), { exact: true });

async function signIn(): Promise<void> {
  await page.goto(`${stack.current.url}/login`);
  await page.getByLabel(no.fields.email, { exact: true }).fill(user.email);
  await page.getByLabel(no.fields.password, { exact: true }).fill(user.password);
  await page.getByRole('button', { name: no.auth.sign_in, exact: true }).click();
  await page.waitForURL('**/quiz');
  await page.getByRole('tab', { name: no.home.tab_account }).click();
}

/** Pays on another device, which never calls confirm: Stripe's webhook settles the payment. */
async function payElsewhere(): Promise<void> {
  const { url, stripeUrl: apiUrl } = stack.current;
  const response = await fetch(`${url}/api/v1/payment/create-intent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.idToken}` },
  });
  const intent = (await response.json()) as { payment_intent_id: string };
  const stripe = createStripeClient({ secretKey: 'sk_test_local', apiUrl });
  await stripe.paymentIntents.confirm(intent.payment_intent_id, {
    payment_method: 'pm_card_visa',
    return_url: 'https://example.no',
  });
}

test('days bought elsewhere are shown without a reload', async () => {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const streams: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/events')) streams.push(request.url());
  });
  await signIn();
  await daysLeft(DAYS).waitFor();
  await expect.poll(() => streams.length).toBe(1);
  await payElsewhere();
  await daysLeft(DAYS + BOUGHT).waitFor();
  // There is one stream, and its URL does not contain the token.
  expect(streams).toEqual([`${stack.current.url}/api/v1/events`]);
  expect(complaints).toEqual([]);

  const ended = page.waitForEvent('requestfailed', (request) => request.url() === streams[0]);
  await page.getByRole('button', { name: no.actions.sign_out, exact: true }).click();
  await ended;
});

test('days bought elsewhere are shown within seconds where no stream gets through', async () => {
  await page.route('**/api/v1/events', (route) => route.abort());
  await signIn();
  await daysLeft(DAYS).waitFor();
  await payElsewhere();
  await daysLeft(DAYS + BOUGHT).waitFor();
});
