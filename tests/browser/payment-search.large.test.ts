import { describe, expect, test } from 'vitest';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import en from '../../frontend/src/texts/purchase.en.json' with { type: 'json' };
import no from '../../frontend/src/texts/purchase.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { uniqueEmail } from '#support/identity.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, Visitor } from '#support/journey.ts';
import { mailsTo } from '#support/mailbox.ts';
import { useOwnStack } from '#support/stack.ts';

const stack = useOwnStack();
const browser = useBrowser();

/** A person whose browser crashed as soon as they had paid. */
async function lostPayer(language: string): Promise<string> {
  const { url, stripeUrl: apiUrl } = stack.current;
  const email = uniqueEmail();
  const response = await fetch(`${url}/api/v1/payment/create-registration-intent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, username: 'Demo', language }),
  });
  const { payment_intent_id } = (await response.json()) as { payment_intent_id: string };
  const stripe = createStripeClient({ secretKey: 'sk_test_local', apiUrl });
  await stripe.paymentIntents.confirm(payment_intent_id, {
    payment_method: 'pm_card_visa',
    return_url: 'https://example.no',
  });
  return email;
}

describe.each(drawLanguages())('in $language', (language) => {
  const { t } = language;
  const { payment_search: texts } = language.language === 'no' ? no : en;

  test('a person who has paid and cannot sign in gets a usable account', async () => {
    const email = await lostPayer(language.language);
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    await visitor.fill(t.fields.email, email);
    await page.getByRole('link', { name: t.auth.paid }).click();
    await page.getByRole('heading', { name: texts.title }).waitFor();
    // The typed address is filled in.
    expect(await page.getByLabel(texts.email).inputValue()).toBe(email);
    expect(await findingsOf(page)).toEqual([]);
    await visitor.fill(texts.email, '');
    const invalid = page.locator('[name=email][aria-invalid=true]:focus');
    await visitor.button(texts.start).click();
    await page.getByText(texts.email_invalid).waitFor();
    await invalid.waitFor();
    await visitor.button(texts.start).click();
    await invalid.waitFor();
    await visitor.fill(texts.email, email);
    await visitor.button(texts.start).click();
    await page.getByRole('heading', { name: texts.started_title }).waitFor();
    await page.getByText(email).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    const { mailboxUrl } = stack.current;
    const isNorwegian = language.language === 'no';
    const found = isNorwegian ? 'Vi fant betalingen din' : 'We found your payment';
    const choose = isNorwegian ? 'Velg passord' : 'Choose a password';
    const subjects = async () => (await mailsTo(mailboxUrl, email)).map((mail) => mail.subject);
    await expect.poll(subjects).toEqual(expect.arrayContaining([found, choose]));
    const mail = (await mailsTo(mailboxUrl, email)).find(({ subject }) => subject === choose);
    await page.goto(/http\S+\/nytt-passord#\S+/.exec(mail!.text)![0]);
    await page.getByText(email).waitFor();
    await visitor.fill(t.auth.choose_password, 'et godt passord');
    await visitor.button(t.auth.choose_save).click();
    await page.getByRole('heading', { name: t.auth.choose_done_title }).waitFor();

    await page.goto(`${stack.current.url}/login?lng=${language.language}`);
    await visitor.signIn(email, 'et godt passord');
    await page.getByRole('tab', { name: t.home.tab_account }).click();
    await page.getByText(t.account.active).first().waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

test('the page of the search has its own address, and no pages below it', async () => {
  const { url } = stack.current;
  const page = await fetch(`${url}/betalt`, { headers: { 'accept-language': 'en' } });
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining(en.payment_search.title),
  ]);
  expect((await fetch(`${url}/betalt/x`)).status).toBe(404);
});
