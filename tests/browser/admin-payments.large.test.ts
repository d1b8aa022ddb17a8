import { beforeEach, describe, expect, test } from 'vitest';
import { formatKroner } from '@proveklar/contract/formats.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { addDays } from '#support/factories.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, Visitor } from '#support/journey.ts';
import { payWithCard } from '#support/pay.ts';
import { useOwnStack } from '#support/stack.ts';

const ADMIN_TEXTS = { no: adminNo, en: adminEn };

const stack = useOwnStack();
const browser = useBrowser();

const fill = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => values[name] ?? '');

/** A learner with 12 days, who pays for 30 more. */
async function buy() {
  const { identity, database, url, stripeUrl } = stack.current;
  const learner = await identity.createPasswordUser();
  await addDays(database.pool, learner, 12);
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${learner.idToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { payment_intent_id: string };
  };
  const { payment_intent_id } = await post('/payment/create-intent', {});
  const stripe = createStripeClient({ secretKey: 'sk_test_local', apiUrl: stripeUrl });
  await payWithCard({ deps: { stripe } as never }, payment_intent_id);
  await post('/payment/confirm', { payment_intent_id });
  return learner;
}

async function daysOf({ uid }: { uid: string }): Promise<number> {
  const { rows } = await stack.current.database.pool.query(
    `select ceil(extract(epoch from service_expires_at - now()) / 86400)::int as days
     from account where uid = $1`,
    [uid],
  );
  return rows[0].days;
}

beforeEach(() =>
  stack.current.database.pool.query('update settings set price_ore = 14900, service_days = 30'),
);

describe.each(drawLanguages())('payments ($language)', (language) => {
  const kroner = (amount: number) => formatKroner(amount, language.language);
  const { t } = language;
  const { audit, payments, settings, shell, users } = ADMIN_TEXTS[language.language];

  test('arrive live, can be found, partly refunded and reconciled; days can be granted', async () => {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    const { page } = visitor;
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, 'admin@example.no');
    await visitor.button(t.auth.emulated_google_continue).click();
    await page.getByRole('link', { name: shell.tab.payments, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: payments.title }).waitFor();
    await page.getByLabel(payments.filter_status).waitFor();
    await page.getByRole('link', { name: settings.no_seller.link }).waitFor();

    const learner = await buy();
    const row = page.getByRole('row').filter({ hasText: learner.email });
    await row.getByText(payments.status.settled, { exact: true }).waitFor();
    await page.getByLabel(payments.search, { exact: true }).fill('unknown@nowhere');
    await page.getByText(payments.none_found).waitFor();
    await visitor.button(payments.clear).click();
    await page.getByLabel(payments.column.purpose, { exact: true }).selectOption('packet');
    await page.getByText(payments.none_found).waitFor();
    await visitor.button(payments.clear).click();
    await page.getByLabel(payments.search, { exact: true }).fill(learner.email.slice(2));
    await page.waitForURL('**/payments?search=*');
    expect(await findingsOf(page)).toEqual([]);

    await row.getByRole('link').click();
    await visitor.button(payments.refund.open).click();
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel(payments.refund.amount);
    expect(await amount.inputValue()).toBe('149');
    const invalid = dialog.locator('input[aria-invalid=true]:focus');
    await amount.fill('150');
    await dialog.getByRole('button', { name: payments.refund.open, exact: true }).click();
    await invalid.waitFor();
    await dialog.getByRole('button', { name: payments.refund.open, exact: true }).click();
    await invalid.waitFor();
    const range = { least: kroner(0.01), left: kroner(149) };
    await dialog.getByText(fill(payments.refund.wrong, range)).waitFor();
    await amount.fill('50');
    await dialog.getByText(fill(payments.refund.days_other, { count: '10' })).waitFor();
    await dialog.getByLabel(payments.refund.note).fill('Nede i en uke');
    expect(await findingsOf(page)).toEqual([]);
    const refund = fill(payments.refund.action, { amount: kroner(50) });
    await dialog.getByRole('button', { name: refund }).dblclick();
    // The worker has made the refund; the page was not reloaded.
    await page.getByText(payments.status.partly_refunded, { exact: true }).waitFor();
    await expect.poll(() => daysOf(learner)).toBe(32);
    await page.getByText(payments.refund_state.succeeded).first().waitFor();
    expect(await findingsOf(page)).toEqual([]);

    await page.getByRole('link', { name: payments.in_log }).click();
    const entry = page.getByRole('list', { name: audit.list }).getByRole('listitem');
    await entry
      .filter({ hasText: /50\u00a0kr|NOK\u00a050/ })
      .filter({ hasText: 'Nede i en uke' })
      .waitFor();
    expect(await entry.count()).toBe(1);
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole('link', { name: audit.see_payment }).click();

    await page.getByRole('link', { name: payments.back }).click();
    await visitor.button(payments.run.compare).click();
    await page.getByText(fill(payments.run.events_missed_other, { count: '0' })).waitFor();

    await page.getByRole('link', { name: shell.tab.users, exact: true }).click();
    await page.getByLabel(users.search).fill(learner.email);
    await visitor.button(fill(users.actions_for, { email: learner.email })).click();
    await visitor.button(fill(users.grant.who, { email: learner.email })).click();
    await dialog.getByRole('button', { name: users.grant.next }).click();
    await invalid.waitFor();
    await dialog.getByLabel(users.grant.how_many).fill('7');
    await dialog.getByLabel(users.grant.note).fill('Takk');
    // The second of two clicks must not answer the question that the first one opened.
    await dialog.getByRole('button', { name: users.grant.next }).dblclick();
    const given = { days: fill(users.grant.days_other, { count: '7' }), who: learner.email };
    await dialog.getByText(fill(users.grant.sure, given)).waitFor();
    expect(await daysOf(learner)).toBe(32);
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: fill(users.grant.action, given) }).dblclick();
    await dialog.waitFor({ state: 'hidden' });
    expect(await daysOf(learner)).toBe(39);
    await visitor.button(fill(users.actions_for, { email: learner.email })).click();
    await visitor.button(fill(users.link.who, { email: learner.email })).click();
    await dialog.getByRole('button', { name: users.link.action }).click();
    await page.getByText(fill(users.link.sent, { email: learner.email })).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
