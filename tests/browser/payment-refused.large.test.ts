import { describe, expect, test } from 'vitest';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages, type Visitor } from '#support/journey.ts';
import { CARDS, CONFIRMATIONS, filled, withPurchases } from '#support/purchases.ts';

const { stack, control, stripe, listPaymentsOf, onlyPayment, inLanguage } = withPurchases();

/** Gives up a payment, as the server does with one that is not paid within a day. */
async function giveUp(email: string): Promise<void> {
  const { payment_intent_id: id } = await onlyPayment(email);
  await stack.current.database.pool.query(
    `update payment set cancel_reason = 'abandoned' where payment_intent_id = $1`,
    [id],
  );
  await stripe().paymentIntents.cancel(id);
}

describe.each(drawLanguages())('$language', (language) => {
  const {
    t,
    purchase,
    provider,
    open,
    alert,
    link,
    sees,
    fillForm,
    startRegistration,
    toCard,
    atBilling,
    registered,
  } = inLanguage(language);
  const waitText = new RegExp(t.error.wait_other.replace('{{count}}', '\\d+'));

  test('shows a declined card, a failed authentication, no answer, and no reason', async () => {
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

    // The card provider answers without a reason.
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

  test('waits while the bank is processing, and shows the outcome', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    await toCard(visitor);
    await visitor.payWith(CARDS.processing);
    // Not checked by axe: the spinner never stops.
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

  test('offers a new payment after an abandoned or cancelled one', async () => {
    const email = uniqueEmail();
    const visitor = await startRegistration(email);
    await toCard(visitor);
    await giveUp(email);
    await visitor.payWith(CARDS.good);
    await sees(visitor, alert(visitor, purchase.problem.expired_title));
    await visitor.button(purchase.start_again).click();
    await fillForm(visitor, email);
    await toCard(visitor);
    const [, second] = await listPaymentsOf(email);
    await stripe().paymentIntents.cancel(second!.payment_intent_id);
    await visitor.payWith(CARDS.good);
    await sees(visitor, alert(visitor, purchase.problem.cancelled_title));
    await visitor.button(purchase.start_again).click();
    await fillForm(visitor, email);
    await toCard(visitor);
    await visitor.payWith(CARDS.good);
    await registered(visitor);
    const states = (await listPaymentsOf(email)).map(({ state }) => state);
    expect(states).toEqual(['cancelled', 'cancelled', 'settled']);
  });

  test('says how long to wait after too many declined cards', async () => {
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

  test('says how long to wait after too many registrations of one address', async () => {
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

  test('offers no second payment after a wrong amount, and says whom to write to', async () => {
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

  /** Pays for a registration whose last call is refused with this code. */
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

  test('offers a way on when the last call is refused', async () => {
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
});
