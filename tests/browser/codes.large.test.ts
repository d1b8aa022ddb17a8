import { describe, expect, test } from 'vitest';
import en from '../../frontend/src/texts/codes.en.json' with { type: 'json' };
import no from '../../frontend/src/texts/codes.no.json' with { type: 'json' };
import purchaseEn from '../../frontend/src/texts/purchase.en.json' with { type: 'json' };
import purchaseNo from '../../frontend/src/texts/purchase.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages, Visitor } from '#support/journey.ts';
import { mailsTo } from '#support/mailbox.ts';
import { useOwnStack } from '#support/stack.ts';

const stack = useOwnStack();
const browser = useBrowser();
const PASSWORD = 'et godt passord';
/** Saves the screenshots of each screen into this folder. */
const SCREENS = process.env.CODES_SCREENS;

describe.each(drawLanguages())('in $language', (language) => {
  const { t } = language;
  const texts = language.language === 'no' ? no : en;
  const purchase = language.language === 'no' ? purchaseNo : purchaseEn;

  /** Finds no fault in the screen as it is, on a phone and on a wide screen. */
  async function look({ page }: Visitor, name: string): Promise<void> {
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
      expect(wide, `${name} at ${width}`).toBeLessThanOrEqual(width);
      expect(await findingsOf(page), `${name} at ${width}`).toEqual([]);
      if (!SCREENS) continue;
      const path = `${SCREENS}/${name}-${width}-${language.language}.png`;
      await page.screenshot({ path, fullPage: true });
    }
  }

  test('a school buys codes, a learner registers with one, and the rest is paid back', async () => {
    const { url, mailboxUrl } = stack.current;
    const email = uniqueEmail();
    const buyer = await Visitor.open(browser.current, stack.current, language, '/');
    const { page } = buyer;
    await page.getByRole('link', { name: t.footer.codes }).click();
    await page.getByRole('heading', { name: texts.buy.title }).waitFor();
    await buyer.fill(texts.buy.organisation, 'Voksenopplæringen');
    await buyer.fill(texts.buy.number, '923 609 017');
    await buyer.fill(texts.buy.email, email);
    await buyer.fill(texts.buy.codes, '3');
    await buyer.button(texts.buy.submit).click();
    await page.getByText(texts.buy.codes_invalid.split('{{')[0]!).first().waitFor();
    await buyer.fill(texts.buy.codes, '5');
    await buyer.button(texts.buy.submit).click();
    await page.getByText(texts.buy.number_invalid).waitFor();
    await look(buyer, 'buy');
    await buyer.fill(texts.buy.number, '923 609 016');
    await buyer.button(texts.buy.submit).click();
    await page.getByRole('heading', { name: texts.buy.pay_title }).waitFor();
    await page.getByRole('link', { name: purchase.payment.packet_terms }).waitFor();
    await page.getByText(purchase.payment.packet_refund).waitFor();
    expect(await page.getByRole('link', { name: purchase.payment.withdrawal }).count()).toBe(0);
    await look(buyer, 'pay');
    await buyer.payWith('4242424242424242');
    await page.getByRole('heading', { name: texts.packet.codes_title }).waitFor();
    const codes = await page.locator('li code').allTextContents();
    expect(codes).toHaveLength(5);
    await look(buyer, 'packet');

    // The mail has the same codes, and leads to the same page.
    const mail = async () => (await mailsTo(mailboxUrl, email)).at(0)?.text ?? '';
    await expect.poll(mail).toContain(codes[0]);
    const link = /http\S+\/skoler\/koder#\S+/.exec(await mail())![0];
    expect(page.url()).toContain(new URL(link).hash);

    const learner = await Visitor.open(browser.current, stack.current, language, '/quiz');
    await learner.page.goto(`${url}/quiz?lng=${language.language}&mode=register`);
    const address = uniqueEmail();
    await learner.button(t.registration.code_question).click();
    await learner.fill(t.fields.username, 'Demo');
    await learner.fill(t.fields.email, address);
    await learner.fill(t.fields.password, PASSWORD);
    await learner.fill(t.registration.code, '0000-0000-0000-0000');
    await look(learner, 'register');
    await learner.button(t.registration.submit_code).click();
    await learner.page.getByText(t.error.code.code_unknown).waitFor();
    await look(learner, 'register-unknown');
    await learner.page.getByRole('button', { name: /^(Endre|Change)/ }).click();
    // The form has the mistyped code, ready to be corrected.
    const code = learner.page.locator('input[name=code]:focus');
    expect(await code.inputValue()).toBe('0000-0000-0000-0000');
    // Or to go on without one.
    await learner.button(t.registration.code_none).click();
    await learner.button(t.registration.submit).waitFor();
    await learner.button(t.registration.code_question).click();
    await learner.fill(t.fields.password, PASSWORD);
    await learner.fill(t.registration.code, codes[0]!.toLowerCase());
    await learner.button(t.registration.submit_code).click();
    await learner.page.getByRole('heading', { name: t.registration.success_title }).waitFor();
    await learner.button(t.registration.to_login).click();
    await learner.signIn(address, PASSWORD);
    await learner.page.getByRole('tab', { name: t.home.tab_account }).click();
    await learner.fill(texts.redeem.label, codes[0]!);
    await learner.button(texts.redeem.submit).click();
    await learner.page.getByText(texts.redeem.done_other.replace('{{count}}', '30')).waitFor();
    await learner.fill(texts.redeem.label, codes[1]!);
    await learner.button(texts.redeem.submit).click();
    await learner.page.getByText(texts.redeem.done_other.replace('{{count}}', '60')).waitFor();
    await look(learner, 'account');

    await buyer.button(texts.packet.keep).click();
    await buyer.button(texts.packet.keep_confirm).click();
    await page.getByText(texts.packet.gone.split('{{')[0]!).waitFor();
    await page.goto('about:blank');
    await page.goto(link);
    const used = texts.packet.count.replace('{{count}}', '2').replace('{{all}}', '5');
    await page.getByText(used).waitFor();
    await buyer.button(texts.packet.refund_begin).click();
    await buyer.button(texts.packet.refund_confirm).click();
    await page.getByText(texts.packet.refund_state.succeeded).waitFor();
    await page.getByText(texts.packet.withdrawn).waitFor();
    await look(buyer, 'refunded');

    await learner.fill(texts.redeem.label, codes[2]!);
    await learner.button(texts.redeem.submit).click();
    await learner.page.getByText(t.error.code.code_withdrawn).waitFor();
    expect([...buyer.complaints, ...learner.complaints].filter(isUnexpected)).toEqual([]);
  });

  test('a packet that is not there says how to find it', async () => {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/skoler/koder');
    await visitor.page.getByRole('heading', { name: texts.packet.not_found_title }).waitFor();
    await look(visitor, 'not-found');
  });
});

/** Browsers log each refused call; this test makes some on purpose. */
const isUnexpected = (complaint: string) => !/status of (400|404|409)/.test(complaint);
