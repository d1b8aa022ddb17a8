import { describe, expect, test } from 'vitest';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages } from '#support/journey.ts';
import { CARDS, withPurchases } from '#support/purchases.ts';

// Registration with Google: an account at once, access when it is paid.
const { stack, inLanguage } = withPurchases();
const PHONE = { viewport: { width: 360, height: 780 } };

describe.each(drawLanguages())('$language', (language) => {
  const { t, open, sees } = inLanguage(language);

  test('leads to the price, then to the payment, and gives no access before', async () => {
    const email = uniqueEmail();
    const visitor = await open('/quiz', PHONE);
    const { page } = visitor;
    await page.getByText(t.auth.create_account, { exact: true }).first().click();
    await sees(visitor, visitor.button(t.auth.google));
    await visitor.button(t.auth.google).click();
    await page.getByRole('dialog').getByLabel(t.fields.email).fill(email);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t.auth.emulated_google_continue })
      .click();
    await page.waitForURL('**/quiz/billing');
    const { rows } = await stack.current.database.pool.query(
      'select service_expires_at from account where email = $1',
      [email],
    );
    expect(rows).toEqual([{ service_expires_at: null }]);
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    await visitor.payWith(CARDS.good);
    await page.getByRole('dialog').getByText(t.billing.success_title_new).waitFor();
  });

  test('says at the press that its code could not be loaded', async () => {
    const visitor = await open('/cookies', { ...PHONE, serviceWorkers: 'block' });
    const { page } = visitor;
    await page.route('**/assets/identity-*.js', (route) => route.abort());
    await page.goto(`${stack.current.url}/login?lng=${language.language}`);
    await visitor.button(t.auth.google).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t.fields.email).fill(uniqueEmail());
    await dialog.getByRole('button', { name: t.auth.emulated_google_continue }).click();
    const failed = t.auth.failed_google.replace('{{message}}', t.auth.error.unknown);
    await page.getByRole('alert').getByText(failed).waitFor();
  });

  test('in the installed app on iOS, where the window cannot report back, it says where to go', async () => {
    // A service worker would answer for the settings.
    const visitor = await open('/', { ...PHONE, serviceWorkers: 'block' });
    const { page } = visitor;
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'standalone', { value: true });
    });
    // The real provider, whose window is the problem; nothing of it is loaded. The page brings its settings.
    await page.route('**/login?*', async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const body = html.replaceAll(/"emulator_url":"[^"]*"/g, '"emulator_url":null');
      expect(body).not.toBe(html);
      const {
        'content-encoding': _encoding,
        'content-length': _length,
        ...headers
      } = response.headers();
      await route.fulfill({ status: response.status(), headers, body });
    });
    await page.goto(`${stack.current.url}/login?lng=${language.language}`);
    await sees(visitor, page.getByText(t.auth.google_installed));
    expect(await visitor.button(t.auth.google).count()).toBe(0);
  });
});

/** In the page. */
declare const navigator: object;
