// @vitest-environment jsdom
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type {
  PaymentIntentResult,
  StripeError,
  StripePaymentElementChangeEvent,
  StripePaymentElementOptions,
} from '@stripe/stripe-js';
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
  labels: Node[];
  focus(): void;
  getAttribute(name: string): string | null;
  dispatchEvent(event: Event): boolean;
};
type Node = {
  id: string;
  className: string;
  textContent: string;
  shadowRoot: Node | null;
  append(child: Node): void;
  remove(): void;
  querySelector(selector: string): Node | null;
};
declare const document: { body: Node; createElement(tag: string): Node };

type FieldName = 'number' | 'expiry' | 'cvc';
type Submission = { error?: StripeError; selectedPaymentMethod?: string };
type Page = {
  pay(): Promise<PaymentIntentResult>;
  submit(): Promise<Submission>;
  changes: StripePaymentElementChangeEvent[];
  events: string[];
  loadErrors: StripeError[];
  field(name: FieldName): Field;
  /** The error below a field. */
  errorOf(name: FieldName): string;
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

const BILLING = {
  name: 'Kari Nordmann',
  email: 'kari@example.no',
  address: { country: null, postal_code: null },
};
const HIDDEN = { country: 'never', postalCode: 'never' } as const;

type PageOptions = {
  locale?: 'nb' | 'en';
  options?: StripePaymentElementOptions;
  billing?: object;
  /** The Elements group has no intent: what the page says of one that comes later. */
  deferred?: { mode: 'payment'; amount: number; currency: string };
  /** Called with the id of the intent before the page is opened. */
  before?: (intentId: string) => Promise<unknown>;
};

/** Renders a payment form with the real React components, for a new intent. */
async function openPage(pageOptions: PageOptions = {}) {
  const { locale = 'en', options, billing = BILLING, deferred, before } = pageOptions;
  const stripe = stripeAt(standIn.url);
  const intent = await stripe.paymentIntents.create({
    amount: 14_900,
    currency: 'nok',
    allowed_payment_method_types: ['card'],
  });
  await before?.(intent.id);
  const script = await (await fetch(`${standIn.url}/stripe.js`)).text();
  // Runs it as a plain script, like a page.
  // oxlint-disable-next-line no-implied-eval
  new Function(script)();

  const clientSecret = String(intent.client_secret);
  const page = { changes: [], events: [], loadErrors: [] } as unknown as Page;
  const promise = loadStripe('pk_test_local', { locale });
  function Form() {
    const stripe = useStripe();
    const elements = useElements();
    page.submit = () => elements!.submit();
    page.pay = () =>
      stripe!.confirmPayment({
        elements: elements!,
        ...(deferred && { clientSecret }),
        confirmParams: {
          return_url: 'https://example.no/',
          payment_method_data: { billing_details: billing },
        },
        redirect: 'if_required',
      });
    return createElement(PaymentElement, {
      id: 'payment',
      options: { fields: { billingDetails: { address: HIDDEN } }, ...options },
      onReady: () => page.events.push('ready'),
      onFocus: () => page.events.push('focus'),
      onChange: (event) => page.changes.push(event),
      onLoadError: ({ error }) => page.loadErrors.push(error),
    });
  }
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  const group = deferred ?? { clientSecret };
  root.render(createElement(Elements, { stripe: promise, options: group }, createElement(Form)));
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  await expect.poll(() => page.events.length + page.loadErrors.length).toBe(1);

  const container = place.querySelector('#payment')!;
  const shadow = container.querySelector('.__PrivateStripeElement')!.shadowRoot!;
  page.container = container;
  page.field = (name) => shadow.querySelector(`input[name="${name}"]`) as unknown as Field;
  page.errorOf = (name) => shadow.querySelector(`#Field-${name}Error`)!.textContent;
  page.fill = (number, expiry, cvc) => {
    for (const [name, value] of Object.entries({ number, expiry, cvc })) {
      const field = page.field(name as FieldName);
      field.focus();
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  };
  return { page, stripe, intent };
}

test('a valid card pays, through the real React components', async () => {
  const { page, stripe, intent } = await openPage();
  expect(page.changes).toMatchObject([{ complete: false, empty: true }]);
  page.fill('4242424242424242', '12/2039', '123');
  expect(page.field('number').value).toBe('4242 4242 4242 4242');
  expect(page.field('expiry').value).toBe('12 / 39');
  expect(page.changes.at(-1)).toMatchObject({
    elementType: 'payment',
    complete: true,
    empty: false,
    collapsed: false,
    value: { type: 'card' },
  });
  expect(page.events).toContain('focus');

  expect(await page.submit()).toEqual({ selectedPaymentMethod: 'card' });
  const { paymentIntent, error } = await page.pay();
  expect(error).toBeUndefined();
  expect(paymentIntent).toMatchObject({ id: intent.id, status: 'succeeded' });
  const paid = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
  expect(paid.latest_charge).toMatchObject({
    billing_details: {
      name: 'Kari Nordmann',
      email: 'kari@example.no',
      address: { country: null, postal_code: null },
    },
  });
});

test('an intent that comes after the form is paid once the form was submitted', async () => {
  const deferred = { mode: 'payment', amount: 14_900, currency: 'nok' } as const;
  const { page, intent } = await openPage({ deferred });
  page.fill('4242424242424242', '12/39', '123');
  await expect(page.pay()).rejects.toThrow('elements.submit() must be called before');
  expect(await page.submit()).toEqual({ selectedPaymentMethod: 'card' });
  expect(await page.pay()).toMatchObject({ paymentIntent: { id: intent.id, status: 'succeeded' } });
});

test('an intent with another amount than the form was made for is not paid', async () => {
  const deferred = { mode: 'payment', amount: 9_900, currency: 'nok' } as const;
  const { page, stripe, intent } = await openPage({ deferred });
  page.fill('4242424242424242', '12/39', '123');
  await page.submit();
  expect(await page.pay()).toMatchObject({ error: { code: 'payment_intent_invalid_parameter' } });
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
});

test.each([
  ['nb', '4000000000000002', 'card_declined', 'Kortet ditt ble avvist.'],
  ['en', '4000000000000002', 'card_declined', 'Your card was declined.'],
  ['nb', '4000000000009995', 'card_declined', 'Kortet ditt har ikke tilstrekkelig dekning.'],
  ['en', '4000000000000069', 'expired_card', 'Your card has expired.'],
] as const)('in %s, %s is %s: %s', async (locale, number, code, message) => {
  const { page } = await openPage({ locale });
  page.fill(number, '12/39', '123');
  expect(await page.pay()).toMatchObject({ error: { type: 'card_error', code, message } });
});

test('incomplete and invalid fields are reported before a request is sent', async () => {
  const { page, stripe, intent } = await openPage({ locale: 'nb' });
  const incomplete = {
    error: {
      type: 'validation_error',
      code: 'incomplete_number',
      message: 'Kortnummeret ditt er ufullstendig.',
    },
  };
  expect(await page.submit()).toMatchObject(incomplete);
  expect(await page.pay()).toMatchObject(incomplete);
  expect(page.field('number').getAttribute('aria-invalid')).toBe('true');
  expect(page.errorOf('number')).toBe('Kortnummeret ditt er ufullstendig.');
  expect(page.errorOf('cvc')).toBe('Kortets sikkerhetskode er ufullstendig.');
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
  const { page } = await openPage({ locale: 'nb', options: { readOnly: true } });
  const names = ['number', 'expiry', 'cvc'] as const;
  const texts = names.map((name) => page.field(name).labels[0]!.textContent);
  expect(texts).toEqual(['Kortnummer', 'Utløpsdato', 'Sikkerhetskode']);
  expect(names.map((name) => page.field(name).getAttribute('autocomplete'))).toEqual([
    'cc-number',
    'cc-exp',
    'cc-csc',
  ]);
  expect(names.map((name) => page.field(name).disabled)).toEqual([true, true, true]);
});

test('details that the page hides must be passed, though they may be null', async () => {
  const { address: _, ...billing } = BILLING;
  const { page, stripe, intent } = await openPage({ billing });
  page.fill('4242424242424242', '12/39', '123');
  await expect(page.pay()).rejects.toThrow(
    'You specified "never" for fields.billing_details.address.country when creating the payment ' +
      'Element, but did not pass confirmParams.payment_method_data.billing_details.address.country',
  );
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
});

test('a payment that needs no payment method any more shows no form', async () => {
  const { page } = await openPage({
    before: (id) => stripeAt(standIn.url).paymentIntents.cancel(id),
  });
  expect(page.loadErrors).toMatchObject([
    { code: 'payment_intent_unexpected_state', payment_intent: { status: 'canceled' } },
  ]);
  expect(page.field('number')).toBe(null);
  await expect(page.submit()).rejects.toThrow('is ready');
});

test('without a connection, the call resolves to an error and does not reject', async () => {
  const { page } = await openPage();
  page.fill('4242424242424242', '12/39', '123');
  const spy = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'));
  onTestFinished(() => spy.mockRestore());
  expect(await page.pay()).toMatchObject({ error: { type: 'api_connection_error' } });
});
