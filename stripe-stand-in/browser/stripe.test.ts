// @vitest-environment jsdom
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntentResult, StripeCardElementChangeEvent } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { startStripeStandIn } from '../server.ts';
import type { StripeStandIn } from '../server.ts';
import { stripeAt } from '../test-support.ts';

/** The parts of the DOM that these tests use; this workspace has no DOM types. */
type Field = {
  value: string;
  disabled: boolean;
  focus(): void;
  getAttribute(name: string): string | null;
  dispatchEvent(event: Event): boolean;
};
type Node = {
  id: string;
  className: string;
  shadowRoot: Node | null;
  append(child: Node): void;
  remove(): void;
  querySelector(selector: string): Node | null;
};
declare const document: { body: Node; createElement(tag: string): Node };

type Page = {
  pay(): Promise<PaymentIntentResult>;
  changes: StripeCardElementChangeEvent[];
  events: string[];
  field(name: 'cardnumber' | 'exp-date' | 'cvc'): Field;
  fill(number: string, expiry: string, cvc: string): void;
  container: Node;
};

let standIn: StripeStandIn;
let dataDir: string;
// One for all tests, because loadStripe() keeps the first `window.Stripe` that it finds.
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'stripe-'));
  standIn = await startStripeStandIn({ port: 0, dataDir, webhookSecret: 'whsec_test' });
});
afterAll(async () => {
  await standIn.close();
  rmSync(dataDir, { recursive: true });
});

let unexpected: unknown[] = [];
beforeEach(() => {
  unexpected = [];
  for (const level of ['warn', 'error'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((text) => void unexpected.push(text));
    onTestFinished(() => {
      spy.mockRestore();
      expect(unexpected).toEqual([]);
    });
  }
});

/** Renders a card form with the real React components, and creates an intent to pay. */
async function openPage(locale: 'nb' | 'en', options: { disabled?: boolean } = {}) {
  const stripe = stripeAt(standIn.url);
  const intent = await stripe.paymentIntents.create({ amount: 14_900, currency: 'nok' });
  const clientSecret = String(intent.client_secret);
  const script = await (await fetch(`${standIn.url}/stripe.js`)).text();
  // Runs it as a plain script, like a page.
  // oxlint-disable-next-line no-implied-eval
  new Function(script)();

  const page = { changes: [], events: [] } as unknown as Page;
  const promise = loadStripe('pk_test_local');
  function Form() {
    const stripe = useStripe();
    const elements = useElements();
    page.pay = () =>
      stripe!.confirmCardPayment(clientSecret, {
        payment_method: {
          card: elements!.getElement(CardElement)!,
          billing_details: { name: 'Kari Nordmann' },
        },
      });
    return createElement(CardElement, {
      id: 'card',
      options: { hidePostalCode: true, style: { base: { fontSize: '16px' } }, ...options },
      onReady: () => page.events.push('ready'),
      onFocus: () => page.events.push('focus'),
      onChange: (event) => page.changes.push(event),
    });
  }
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(
    createElement(Elements, { stripe: promise, options: { locale } }, createElement(Form)),
  );
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  await expect.poll(() => page.events).toEqual(['ready']);

  const container = place.querySelector('#card')!;
  const shadow = container.querySelector('.__PrivateStripeElement')!.shadowRoot!;
  page.container = container;
  page.field = (name) => shadow.querySelector(`input[name="${name}"]`) as unknown as Field;
  page.fill = (number, expiry, cvc) => {
    for (const [name, value] of Object.entries({ cardnumber: number, 'exp-date': expiry, cvc })) {
      const field = page.field(name as 'cvc');
      field.focus();
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  };
  return { page, stripe, intent };
}

test('a valid card pays, through the real React components', async () => {
  const { page, stripe, intent } = await openPage('en');
  page.fill('4242424242424242', '12/2039', '123');
  expect(page.field('cardnumber').value).toBe('4242 4242 4242 4242');
  expect(page.field('exp-date').value).toBe('12 / 39');
  expect(page.changes.at(-1)).toMatchObject({
    elementType: 'card',
    complete: true,
    empty: false,
    brand: 'visa',
    error: undefined,
  });
  expect(page.container.className).toContain('StripeElement--complete');
  expect(page.events).toContain('focus');

  const { paymentIntent, error } = await page.pay();
  expect(error).toBeUndefined();
  expect(paymentIntent).toMatchObject({ id: intent.id, status: 'succeeded' });
  const paid = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
  expect(paid.latest_charge).toMatchObject({ billing_details: { name: 'Kari Nordmann' } });
});

test.each([
  ['nb', '4000000000000002', 'card_declined', 'Kortet ditt ble avvist.'],
  ['en', '4000000000000002', 'card_declined', 'Your card was declined.'],
  ['nb', '4000000000009995', 'card_declined', 'Kortet ditt har ikke tilstrekkelig dekning.'],
  ['en', '4000000000000069', 'expired_card', 'Your card has expired.'],
] as const)('in %s, %s is %s: %s', async (locale, number, code, message) => {
  const { page } = await openPage(locale);
  page.fill(number, '12/39', '123');
  expect(await page.pay()).toMatchObject({ error: { type: 'card_error', code, message } });
});

test('incomplete and invalid fields are reported before a request is sent', async () => {
  const { page, stripe, intent } = await openPage('nb');
  expect(await page.pay()).toMatchObject({
    error: {
      type: 'validation_error',
      code: 'incomplete_number',
      message: 'Kortnummeret ditt er ufullstendig.',
    },
  });
  expect(page.field('cardnumber').getAttribute('aria-invalid')).toBe('true');
  for (const [number, expiry, cvc, code] of [
    ['4242424242424241', '12/39', '123', 'invalid_number'],
    ['4242424242424242', '1', '123', 'incomplete_expiry'],
    ['4242424242424242', '12/19', '123', 'invalid_expiry_year_past'],
    ['4242424242424242', '12/39', '12', 'incomplete_cvc'],
  ] as const) {
    page.fill(number, expiry, cvc);
    expect(await page.pay()).toMatchObject({ error: { type: 'validation_error', code } });
  }
  expect((await stripe.charges.list({ payment_intent: intent.id })).data).toEqual([]);
});

test('the fields have labels for people and autocomplete tokens for browsers', async () => {
  const { page } = await openPage('nb', { disabled: true });
  const names = ['cardnumber', 'exp-date', 'cvc'] as const;
  expect(names.map((name) => page.field(name).getAttribute('aria-label'))).toEqual([
    'Kreditt- eller debetkortnummer',
    'Utløpsdato for kreditt- eller debetkort',
    'CVC/CVV for kreditt- eller debetkort',
  ]);
  expect(names.map((name) => page.field(name).getAttribute('autocomplete'))).toEqual([
    'cc-number',
    'cc-exp',
    'cc-csc',
  ]);
  expect(names.map((name) => page.field(name).disabled)).toEqual([true, true, true]);
});

test('without a connection, the call resolves to an error and does not reject', async () => {
  const { page } = await openPage('en');
  page.fill('4242424242424242', '12/39', '123');
  const spy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'));
  onTestFinished(() => spy.mockRestore());
  expect(await page.pay()).toMatchObject({ error: { type: 'api_connection_error' } });
});
