import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { controlAt } from '@proveklar/stripe-stand-in/control/client.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import en from '../../frontend/src/texts/purchase.en.json' with { type: 'json' };
import no from '../../frontend/src/texts/purchase.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const stack = useOwnStack();
const browser = useBrowser();
const SELLER = 'Øv & Bestå AS';
const NBSP = '\u00A0';

beforeAll(async () => {
  await stack.current.database.pool.query(
    `update settings set seller_name = $1, seller_vat_registered = true`,
    [SELLER],
  );
});

const stripe = () =>
  createStripeClient({ secretKey: 'sk_test_local', apiUrl: stack.current.stripeUrl });

interface Payer {
  email: string;
  password: string;
  paymentIntentId: string;
}

/** A learner who has paid 149 kroner for 30 days with an immediate start. */
async function payer(card: string): Promise<Payer> {
  const { url, identity } = stack.current;
  const user = await identity.createPasswordUser();
  const call = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v1/payment/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.idToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { payment_intent_id: string };
  };
  const { payment_intent_id } = await call('create-intent', { consent_version: 'no-2026-11' });
  await stripe().paymentIntents.confirm(payment_intent_id, {
    payment_method: card,
    return_url: 'https://example.no',
  });
  await call('confirm', { payment_intent_id });
  return { ...user, paymentIntentId: payment_intent_id };
}

/** A learner who bought their days ten days ago. */
async function buyer(): Promise<Payer> {
  const bought = await payer('pm_card_visa');
  await stack.current.database.pool.query(
    `with bought as (
       update payment set settled_at = settled_at - interval '10 days'
       where payment_intent_id = $1 returning id)
     update credit set credited_at = credited_at - interval '10 days'
     from bought where payment_id = bought.id`,
    [bought.paymentIntentId],
  );
  return bought;
}

/** Whether the canvas behind a page is light or dark. */
const canvasScheme = (page: Page) =>
  page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme');

describe.each(drawLanguages())('in $language', (language) => {
  const { t } = language;
  const texts = language.language === 'no' ? no : en;
  const kroner = (amount: string) =>
    language.language === 'no' ? `${amount}${NBSP}kr` : `NOK${NBSP}${amount.replace(',', '.')}`;

  test('a learner prints a receipt, withdraws, and sees the money come back', async () => {
    const { email, password } = await buyer();
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    await visitor.signIn(email, password);
    await page.getByRole('tab', { name: t.home.tab_account }).click();
    await page.getByRole('link', { name: /149/ }).click();
    await page.waitForURL(/\/quiz\/receipts\/[0-9a-f-]{36}$/);
    const sheet = page.getByRole('article');
    await sheet.getByText(email).waitFor();
    expect(await sheet.innerText()).toContain(SELLER);
    expect(await sheet.innerText()).toContain(kroner('29,80'));
    expect(await findingsOf(page)).toEqual([]);

    const withdraw = visitor.button(texts.withdrawal.begin);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await canvasScheme(page)).toBe('light');
    expect(await sheet.isVisible()).toBe(true);
    for (const unprinted of [withdraw, page.getByRole('contentinfo')]) {
      expect(await unprinted.isVisible()).toBe(false);
    }
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });

    await withdraw.click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain(kroner('99,34'));
    expect(await findingsOf(page)).toEqual([]);
    // A day passes once the learner has agreed: the refund would now be smaller. Earlier, a live update could
    // have shown the new amount.
    const changed = page.waitForResponse((response) => response.status() === 409);
    await page.route(
      '**/withdraw',
      async (route) => {
        await stack.current.database.pool.query(
          `update credit set credited_at = credited_at - interval '1 day'
           from payment join account on account.id = payment.account_id
           where credit.payment_id = payment.id and account.email = $1`,
          [email],
        );
        await route.continue();
      },
      { times: 1 },
    );
    await visitor.button(texts.withdrawal.confirm).click();
    await changed;
    await dialog.getByText(t.error.code.withdrawal_changed).waitFor();
    await dialog.getByText(kroner('94,37'), { exact: false }).waitFor();
    await visitor.button(texts.withdrawal.confirm).click();
    await page.getByText(texts.withdrawal.done).waitFor();

    // The worker makes the refund meanwhile, and a live update shows it.
    const paidBack = texts.withdrawal.succeeded.replace('{{amount}}', kroner('94,37'));
    await page.getByText(paidBack).waitFor();
    await sheet.getByText(texts.receipts.state.partly_refunded, { exact: true }).waitFor();
    await sheet.getByText(texts.receipts.new_period).waitFor();
    await page.goBack();
    await page.getByText(t.account.expired).first().waitFor();
    await page.getByText(texts.receipts.state.partly_refunded, { exact: true }).waitFor();
    const refunded = texts.receipts.refunded.replace('{{amount}}', kroner('94,37'));
    await page.getByText(refunded, { exact: false }).waitFor();
    // The browser logs the 409.
    expect(visitor.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
  });

  test('a dispute pauses access, and the page says why, until it is lost', async () => {
    const { email, password, paymentIntentId } = await buyer();
    const [charge] = (await stripe().charges.list({ payment_intent: paymentIntentId })).data;
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    await visitor.signIn(email, password);
    await page.getByRole('tab', { name: t.home.tab_account }).click();
    const dispute = await controlAt(stack.current.stripeUrl).dispute(charge!.id);

    // A live update shows it.
    const notice = page.getByRole('heading', { name: texts.notices.open_title, exact: true });
    await notice.waitFor();
    await page.getByText(texts.notices.open_summary).waitFor();
    expect(await page.getByText(t.account.expired_text).isVisible()).toBe(false);
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole('link', { name: /149/ }).click();
    await page.getByRole('article').getByText(texts.receipts.no_period).waitFor();
    await page.goto(`${stack.current.url}/quiz/billing`);
    await page.getByText(texts.notices.open_wait).waitFor();
    const proceed = visitor.button(t.payment.proceed);
    await proceed.waitFor();
    expect(await proceed.getAttribute('data-variant')).toBe('secondary');
    expect(await page.getByText(t.account.expired_text).isVisible()).toBe(false);
    expect(await findingsOf(page)).toEqual([]);

    await stripe().disputes.close(dispute.id);
    await page.getByText(texts.notices.lost_title).waitFor();
    await expect.poll(() => proceed.getAttribute('data-variant')).toBe('primary');
    expect(visitor.complaints).toEqual([]);
  });

  test('no second payment is offered while the bank is processing one', async () => {
    const { email, password, paymentIntentId } = await payer('pm_card_processing');
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    await visitor.signIn(email, password);
    await page.getByRole('tab', { name: t.home.tab_account }).click();
    await page.getByText(texts.notices.processing).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole('link', { name: texts.notices.to_payment }).click();
    await page.getByText(texts.payment.waiting.processing_title).waitFor();
    await page.reload();
    await page.getByText(texts.payment.waiting.processing_title).waitFor();
    expect(await visitor.button(t.payment.proceed).isVisible()).toBe(false);

    await controlAt(stack.current.stripeUrl).settle(paymentIntentId, 'succeed');
    const dialog = page.getByRole('dialog', { name: t.billing.success_title_new });
    await dialog.waitFor();
    expect(visitor.complaints).toEqual([]);
  });

  test('the right of withdrawal can be read, and its form printed, without an account', async () => {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/angrerett');
    const { page } = visitor;
    const form = page.getByRole('region', { name: texts.withdrawal_form.title });
    await form.getByText(SELLER).waitFor();
    await form.getByText('kontakt@example.no').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(texts.withdrawal_right.law_text).isVisible()).toBe(false);
    expect(await form.isVisible()).toBe(true);
    expect(visitor.complaints).toEqual([]);
  });
});
