import type { BrowserContextOptions, Locator } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { controlAt } from '@proveklar/stripe-stand-in/control/client.ts';
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';
import purchaseEn from '../../frontend/src/texts/purchase.en.json' with { type: 'json' };
import purchaseNo from '../../frontend/src/texts/purchase.no.json' with { type: 'json' };
import { findingsOf } from './axe.ts';
import { useBrowser } from './browser.ts';
import { setPrice } from './factories.ts';
import { newLearner, Visitor, type JourneyLanguage } from './journey.ts';
import { type TestStackOptions, useOwnStack } from './stack.ts';

export const PASSWORD = 'et godt passord';
/** Test cards, by the outcome of a payment with them. */
export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  asks: '4000002500003155',
  processing: '4000000000007700',
};
/** The request that completes a registration. */
export const CONFIRMATIONS = '**/payment/confirm-registration';
const PURCHASE = {
  no: {
    ...purchaseNo.payment,
    registered: purchaseNo.registered,
    returned: purchaseNo.payment_return,
  },
  en: {
    ...purchaseEn.payment,
    registered: purchaseEn.registered,
    returned: purchaseEn.payment_return,
  },
};
/** The card provider's own texts. */
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

interface PaymentRow {
  payment_intent_id: string;
  state: string;
  cancel_reason: string | null;
  consent_version: string | null;
}

/** A text of the pages with its values filled in. */
export const filled = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

/** A stack with a price of 149 kroner, a browser, and helpers that read payments. */
export function withPurchases(options: TestStackOptions = {}) {
  const stack = useOwnStack(options);
  const browser = useBrowser();
  const control = () => controlAt(stack.current.stripeUrl);
  const stripe = () =>
    createStripeClient({ secretKey: 'sk_test_local', apiUrl: stack.current.stripeUrl });

  afterEach(async () => {
    await control().removeFaults();
    await setPrice(stack.current.database.pool, 149_00);
  });

  /** The payments of an address, oldest first. */
  async function listPaymentsOf(email: string): Promise<PaymentRow[]> {
    const { rows } = await stack.current.database.pool.query<PaymentRow>(
      `select payment_intent_id, state, cancel_reason, consent_version from payment
       where email = $1 order by created_at`,
      [email],
    );
    return rows;
  }

  /** The only payment of an address; fails if there are more or none. */
  async function onlyPayment(email: string): Promise<PaymentRow> {
    const rows = await listPaymentsOf(email);
    expect(rows).toHaveLength(1);
    return rows[0]!;
  }

  /** The steps of a purchase in one language. */
  function inLanguage(language: JourneyLanguage) {
    const { t } = language;
    const purchase = PURCHASE[language.language];
    const provider = PROVIDER[language.language];

    const open = (path: string, context: BrowserContextOptions = {}) =>
      Visitor.open(browser.current, stack.current, language, path, context);
    const alert = ({ page }: Visitor, text: string | RegExp) =>
      page.getByRole('alert').getByText(text).first();
    const link = ({ page }: Visitor, name: string) => page.getByRole('link', { name, exact: true });

    /** Waits for a page, and checks its accessibility. */
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

    /** A visitor without an account, at the billing step of a registration. */
    async function startRegistration(email: string, visitor?: Visitor): Promise<Visitor> {
      const at = visitor ?? (await open('/quiz'));
      await at.page.getByText(t.auth.create_account, { exact: true }).first().click();
      await fillForm(at, email);
      await at.page.getByRole('heading', { name: t.registration.billing_title }).waitFor();
      return at;
    }

    /** Goes from the billing step to the card form. */
    async function toCard(visitor: Visitor): Promise<void> {
      await visitor.agree();
      await visitor.button(t.payment.proceed).click();
      await visitor.page.locator('input[name=number]').waitFor();
    }

    /** A learner with 30 days who is about to buy more. */
    async function atBilling(
      context: BrowserContextOptions = {},
    ): Promise<{ visitor: Visitor; email: string }> {
      const { email, password } = await newLearner(stack.current);
      const visitor = await open('/login', context);
      await visitor.signIn(email, password);
      await visitor.page.goto(`${stack.current.url}/quiz/billing`);
      await visitor.button(t.payment.proceed).waitFor();
      return { visitor, email };
    }

    const registered = (visitor: Visitor) =>
      visitor.page.getByRole('dialog').getByText(t.registration.success_title).waitFor();

    return {
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
    };
  }

  return { stack, control, stripe, listPaymentsOf, onlyPayment, inLanguage };
}
