import type { Locator } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { controlAt } from '@proveklar/local/stripe/control/client.ts';
import { createStripeClient } from '@proveklar/services/payments/stripe/stripe-client.ts';
import purchaseEn from '../../frontend/src/i18n/purchase/en/payment.json' with { type: 'json' };
import purchaseNo from '../../frontend/src/i18n/purchase/no/payment.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { setPrice } from '#support/factories.ts';
import { uniqueEmail } from '#support/identity.ts';
import { LANGUAGES, newLearner, useBrowser, Visitor } from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

// All of them pay from one address, and some with cards that are refused.
const MANY = { INTENTS_PER_ADDRESS: '1000', INTENTS_PER_ADDRESS_AFTER_DECLINES: '1000' };
const stack = useStack({ environment: MANY });
const browser = useBrowser();
const PASSWORD = 'et godt passord';
const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  asks: '4000002500003155',
  processing: '4000000000007700',
};
const CONFIRMATIONS = '**/payment/confirm-registration';
const PURCHASE = { no: purchaseNo, en: purchaseEn };
/** What the card provider says, in its own words. */
const PROVIDER = {
  no: {
    declined: 'Kortet ditt ble avvist.',
    complete: 'Fullfør autentisering',
    fail: 'Avbryt autentisering',
    unauthenticated: 'Vi kan ikke autentisere betalingsmåten din',
  },
  en: {
    declined: 'Your card was declined.',
    complete: 'Complete authentication',
    fail: 'Fail authentication',
    unauthenticated: 'We are unable to authenticate your payment method',
  },
};

const control = () => controlAt(stack.current.stripeUrl);
const stripe = () =>
  createStripeClient({ secretKey: 'sk_test_local', apiUrl: stack.current.stripeUrl });

afterEach(async () => {
  await control().removeFaults();
  await setPrice(stack.current.database.pool, 149_00);
});

interface PaymentRow {
  payment_intent_id: string;
  state: string;
  cancel_reason: string | null;
  consent_version: string | null;
}

/** What an address has begun, oldest first. */
async function paymentsOf(email: string): Promise<PaymentRow[]> {
  const { rows } = await stack.current.database.pool.query<PaymentRow>(
    `select payment_intent_id, state, cancel_reason, consent_version from payment
     where email = $1 order by created_at`,
    [email],
  );
  return rows;
}

async function onlyPayment(email: string): Promise<PaymentRow> {
  const rows = await paymentsOf(email);
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

/** As the server gives up what nobody pays for a day. */
async function giveUp(email: string): Promise<void> {
  const { payment_intent_id: id } = await onlyPayment(email);
  await stack.current.database.pool.query(
    `update payment set cancel_reason = 'abandoned' where payment_intent_id = $1`,
    [id],
  );
  await stripe().paymentIntents.cancel(id);
}

describe.each(LANGUAGES)('$language', (language) => {
  const { t } = language;
  const purchase = PURCHASE[language.language];
  const provider = PROVIDER[language.language];
  const pay = /^(Betal|Pay) 149/;
  const filled = (text: string, values: Record<string, string>) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  const waitText = new RegExp(t.error.wait_other.replace('{{count}}', '\\d+'));

  const open = (path: string) => Visitor.open(browser.current, stack.current, language, path);
  const alert = ({ page }: Visitor, text: string | RegExp) =>
    page.getByRole('alert').getByText(text).first();
  const link = ({ page }: Visitor, name: string) => page.getByRole('link', { name, exact: true });

  /** Waits for a screen, which must be readable by everybody. */
  async function sees(visitor: Visitor, what: Locator): Promise<void> {
    await what.waitFor();
    expect(await findingsOf(visitor.page)).toEqual([]);
  }

  async function fillForm(visitor: Visitor, email: string): Promise<void> {
    await visitor.fill(t.fields.username, 'Demo');
    await visitor.fill(t.fields.email, email);
    await visitor.fill(t.fields.password, PASSWORD);
    await visitor.button(t.registration.submit).click();
  }

  async function startRegistration(email: string, visitor?: Visitor): Promise<Visitor> {
    const at = visitor ?? (await open('/quiz'));
    await at.page.getByText(t.auth.create_account, { exact: true }).first().click();
    await fillForm(at, email);
    await at.page.getByRole('heading', { name: t.registration.billing_title }).waitFor();
    return at;
  }

  async function toCard(visitor: Visitor): Promise<void> {
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    await visitor.page.locator('input[name=cardnumber]').waitFor();
  }

  async function atBilling(): Promise<{ visitor: Visitor; email: string; idToken: string }> {
    const { email, password } = await newLearner(stack.current);
    const { idToken } = await stack.current.identity.signInWithPassword(email, password);
    const visitor = await open('/login');
    await visitor.signIn(email, password);
    await visitor.page.goto(`${stack.current.url}/quiz/billing`);
    await visitor.button(t.payment.proceed).waitFor();
    return { visitor, email, idToken };
  }

  const registered = (visitor: Visitor) =>
    visitor.page.getByRole('dialog').getByText(t.registration.success_title).waitFor();

  test('without consent nothing is sent; with it, it is noted with the one payment', async () => {
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
    expect(consent_version).toBe(`${language.language}-2026-11`);
    // A step back and forth is the same purchase.
    await visitor.button(purchase.back).click();
    await visitor.button(purchase.change_details).click();
    await fillForm(visitor, email);
    await toCard(visitor);
    expect((await onlyPayment(email)).state).toBe('open');
    await visitor.page.route('**/payment/cancel', (route) => route.abort());
    await visitor.button(purchase.cancel).click();
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

  test('Back is one step back, and neither it nor a reload loses a name or pays twice', async () => {
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

  test('a declined card, an unconfirmed one, no answer, and no reason', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    const { page } = visitor;
    await toCard(visitor);
    await visitor.payWith(CARDS.declined);
    await sees(visitor, alert(visitor, provider.declined));
    await visitor.payWith(CARDS.asks);
    await page.getByText(purchase.running).waitFor();
    await page.getByRole('button', { name: provider.fail }).click();
    await sees(visitor, alert(visitor, provider.unauthenticated));

    // An answer of the card provider without any reason.
    await page.route('**/v1/payment_intents/*/confirm', (route) =>
      route.fulfill({
        status: 402,
        headers: { 'access-control-allow-origin': '*' },
        json: { error: { type: 'card_error', code: 'odd' } },
      }),
    );
    await visitor.payWith(CARDS.good);
    await alert(visitor, t.payment.failed).waitFor();
    await page.unroute('**/v1/payment_intents/*/confirm');
    await page.route('**/v1/payment_intents/**', (route) => route.abort());
    await visitor.payWith(CARDS.good);
    await sees(visitor, alert(visitor, purchase.no_answer));
    await page.unroute('**/v1/payment_intents/**');

    await visitor.payWith(CARDS.asks);
    await page.getByRole('button', { name: provider.complete }).click();
    await registered(visitor);
    expect((await onlyPayment(email)).state).toBe('settled');
  });

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
    await said.waitFor({ timeout: 40_000 });
    await link(visitor, purchase.paid_link).waitFor();
    await control().removeFault(mute.id);
    // Unless the webhook is quicker, which the screen hears of by itself.
    await visitor
      .button(t.actions.retry)
      .click({ timeout: 5_000 })
      .catch(() => {});
    await visitor.page.getByRole('dialog').getByText(t.billing.success_title).waitFor();
    expect((await onlyPayment(email)).state).toBe('settled');
  });

  test('while the bank is at it one waits, and is told how it ended', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    await toCard(visitor);
    await visitor.payWith(CARDS.processing);
    // Not looked at by axe: what turns round never comes to rest.
    await visitor.page.getByText(purchase.waiting.processing_title).waitFor();
    const { payment_intent_id: id } = await onlyPayment(email);
    await control().settle(id, 'fail');
    await sees(visitor, alert(visitor, purchase.problem.declined_title));
    await visitor.button(purchase.other_card).click();
    await visitor.payWith(CARDS.processing);
    await visitor.page.getByText(purchase.waiting.processing_text).waitFor();
    await control().settle(id, 'succeed');
    await registered(visitor);
    expect((await onlyPayment(email)).state).toBe('settled');
  });

  test('given up, and cancelled: a new payment leads on', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    await toCard(visitor);
    await giveUp(email);
    await visitor.payWith(CARDS.good);
    await sees(visitor, alert(visitor, purchase.problem.expired_title));
    await visitor.button(purchase.start_again).click();
    await fillForm(visitor, email);
    await toCard(visitor);
    const [, second] = await paymentsOf(email);
    await stripe().paymentIntents.cancel(second!.payment_intent_id);
    await visitor.payWith(CARDS.good);
    await sees(visitor, alert(visitor, purchase.problem.cancelled_title));
    await visitor.button(purchase.start_again).click();
    await fillForm(visitor, email);
    await toCard(visitor);
    await visitor.payWith(CARDS.good);
    await registered(visitor);
    const states = (await paymentsOf(email)).map(({ state }) => state);
    expect(states).toEqual(['cancelled', 'cancelled', 'settled']);
  });

  test('too many cards declined: said so, and how long to wait', async () => {
    const { visitor, email } = await atBilling();
    await toCard(visitor);
    for (let n = 1; n <= 5; n += 1) {
      await visitor.payWith(CARDS.declined);
      await alert(visitor, provider.declined).waitFor();
    }
    await expect.poll(async () => (await onlyPayment(email)).state).toBe('cancelled');
    await visitor.payWith(CARDS.good);
    await sees(visitor, alert(visitor, purchase.problem.too_many_title));
    await visitor.button(purchase.start_again).click();
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    await sees(visitor, alert(visitor, waitText));
  });

  test('too many registrations for one address: how long to wait', async () => {
    const email = uniqueEmail();
    for (let n = 1; n <= 5; n += 1) {
      await fetch(`${stack.current.url}/api/v1/payment/create-registration-intent`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, username: 'Demo' }),
      });
    }
    const visitor = await open('/quiz');
    await visitor.page.getByText(t.auth.create_account, { exact: true }).first().click();
    await fillForm(visitor, email);
    await sees(visitor, alert(visitor, waitText));
  });

  test('another amount than agreed: no second payment, and whom to write to', async () => {
    const { visitor, email } = await atBilling();
    await toCard(visitor);
    await stack.current.database.pool.query(
      'update payment set amount_ore = 14800 where email = $1',
      [email],
    );
    await visitor.payWith(CARDS.good);
    await sees(visitor, alert(visitor, purchase.problem.mismatch_title));
    const contact = filled(purchase.contact, { email: 'kontakt@example.no' });
    expect(await link(visitor, contact).getAttribute('href')).toBe('mailto:kontakt@example.no');
  });

  /** Pays for a registration whose last step is refused with this code. */
  async function refusedWith(code: string): Promise<{ visitor: Visitor; email: string }> {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    await toCard(visitor);
    await visitor.page.route(CONFIRMATIONS, (route) =>
      route.fulfill({ status: 400, json: { error: 'refused', code } }),
    );
    await visitor.payWith(CARDS.good);
    return { visitor, email };
  }

  test('what is refused at the last step has a way on', async () => {
    const { visitor: unknown, email } = await refusedWith('email_refused');
    await sees(unknown, alert(unknown, purchase.problem.email_title));
    await alert(unknown, filled(purchase.problem.email_text, { email })).waitFor();
    await unknown.button(purchase.start_again).click();
    await unknown.button(t.registration.submit).waitFor();

    const { visitor: closed } = await refusedWith('account_disabled');
    await sees(closed, alert(closed, purchase.problem.disabled_title));

    const { visitor, email: mine } = await refusedWith('password_refused');
    await sees(visitor, alert(visitor, purchase.problem.password_title));
    await visitor.page.unroute(CONFIRMATIONS);
    await visitor.fill(t.fields.password, 'et enda bedre passord');
    await visitor.button(purchase.problem.password_save).click();
    await registered(visitor);
    expect((await onlyPayment(mine)).state).toBe('settled');
    await stack.current.identity.signInWithPassword(mine, 'et enda bedre passord');
  });

  test('free since the page was loaded: said, and nothing is paid', async () => {
    const { visitor, email } = await atBilling();
    await setPrice(stack.current.database.pool, 0);
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    await sees(visitor, visitor.page.getByText(t.billing.free));
    expect(await paymentsOf(email)).toEqual([]);
  });

  test('a double press that makes a free account stays on the page', async () => {
    await setPrice(stack.current.database.pool, 0);
    const visitor = await open('/quiz');
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height: 640 });
    await startRegistration(uniqueEmail(), visitor);
    // So slow that the waiting state is what the second press meets.
    await page.route(CONFIRMATIONS, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.continue();
    });
    const button = visitor.button(t.registration.create_free);
    await button.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await button.boundingBox())!;
    const finger = [x + width / 2, y + height / 2] as const;
    await page.mouse.click(...finger);
    await page.waitForTimeout(150);
    // Not the footer, which a shorter card would let slide up.
    const isInContent = await page.evaluate<boolean>(
      `document.elementFromPoint(${finger.join()})?.closest('main') != null`,
    );
    expect(isInContent).toBe(true);
    await page.mouse.click(...finger);
    await registered(visitor);
    expect(new URL(page.url()).pathname).toBe('/quiz');
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

  test('paid in another tab: the days are there without a reload, and no card is asked for', async () => {
    const { visitor, email } = await atBilling();
    const days = (count: number) => visitor.page.getByText(String(count), { exact: true });
    await days(30).waitFor();
    await toCard(visitor);
    const { payment_intent_id: id } = await onlyPayment(email);
    await stripe().paymentIntents.confirm(id, {
      payment_method: 'pm_card_visa',
      return_url: 'https://example.no',
    });
    await days(60).waitFor({ timeout: 15_000 });
    await sees(visitor, visitor.page.getByText(purchase.extended.title));
    expect(await visitor.page.locator('input[name=cardnumber]').count()).toBe(0);
  });

  test('two tabs are one payment', async () => {
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
});
