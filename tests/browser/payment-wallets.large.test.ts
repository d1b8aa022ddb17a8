import { describe, expect, test } from 'vitest';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages, LANGUAGES, type Visitor } from '#support/journey.ts';
import { CARDS, withPurchases } from '#support/purchases.ts';

// Apple Pay and Google Pay above the form, on a device that has them: the wallet says yes, no, or nothing.
const { stripe, onlyPayment, inLanguage } = withPurchases();
const PHONE = { viewport: { width: 360, height: 780 } };

/** In the page: the stand-in's browser has these wallets. */
declare const localStorage: { setItem(name: string, value: string): void };

describe.each(drawLanguages())('$language', (language) => {
  const { purchase, provider, open, sees, alert, startRegistration, toCard, registered } =
    inLanguage(language);

  /** A registration at the form, on a phone with wallets. */
  async function atForm() {
    const email = uniqueEmail();
    const visitor = await open('/quiz', PHONE);
    await visitor.page.evaluate(() =>
      localStorage.setItem('stripe-stand-in-wallets', 'apple_pay,google_pay'),
    );
    await startRegistration(email, visitor);
    await toCard(visitor);
    await visitor.page.getByRole('group', { name: purchase.wallets }).waitFor();
    return { visitor, email };
  }

  async function answer(visitor: Visitor, wallet: 'Apple Pay' | 'Google Pay', how: string) {
    await visitor.page.getByRole('button', { name: wallet }).click();
    await visitor.page.locator(`#wallet-${how}`).click();
  }

  const chargeOf = async (email: string) => {
    const { payment_intent_id: id } = await onlyPayment(email);
    const intent = await stripe().paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    const charge = intent.latest_charge;
    const wallet =
      charge && typeof charge === 'object'
        ? charge.payment_method_details?.card?.wallet?.type
        : null;
    return { status: intent.status, wallet: wallet ?? null };
  };

  test.each([
    ['Apple Pay', 'apple_pay'],
    ['Google Pay', 'google_pay'],
  ] as const)(
    '%s says yes: the card fields stay empty, and the account is there',
    async (name, type) => {
      const { visitor, email } = await atForm();
      await sees(visitor, visitor.page.getByRole('button', { name }));
      await answer(visitor, name, 'pay');
      await registered(visitor);
      expect(await chargeOf(email)).toEqual({ status: 'succeeded', wallet: type });
    },
  );

  test('the bank says no to the card in the wallet: a typed card pays the same payment', async () => {
    const { visitor, email } = await atForm();
    await answer(visitor, 'Google Pay', 'decline');
    await sees(visitor, alert(visitor, provider.declined));
    await visitor.payWith(CARDS.good);
    await registered(visitor);
    expect(await chargeOf(email)).toEqual({ status: 'succeeded', wallet: null });
  });

  test.each(['cancel', 'silent'])(
    'the wallet is closed (%s): nothing is sent, and the form works',
    async (how) => {
      const { visitor, email } = await atForm();
      await answer(visitor, 'Apple Pay', how);
      await visitor.page.locator(`#wallet-${how}`).waitFor({ state: 'detached' });
      expect(await chargeOf(email)).toMatchObject({ status: 'requires_payment_method' });
      await visitor.payWith(CARDS.good);
      await registered(visitor);
    },
  );
});

test('a device without wallets shows none', async () => {
  const { toCard, startRegistration, purchase } = inLanguage(LANGUAGES[0]);
  const visitor = await startRegistration(uniqueEmail());
  await toCard(visitor);
  expect(
    await visitor.page.getByRole('group', { name: purchase.wallets }).getByRole('button').count(),
  ).toBe(0);
  expect(await visitor.page.getByText(purchase.or_card).isVisible()).toBe(false);
});
