import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startForTest, stripeAt } from '../test-support.ts';
import { API_VERSION } from '../work.ts';
import { differencesOf } from './compare.ts';
import { runContract } from './script.ts';

// The stand-in against Stripe itself: the same script runs at both. Without a key it runs at the stand-in alone.
const KEY = process.env.STRIPE_TEST_SECRET_KEY ?? '';
const RESOURCES = [
  'accounts',
  'balanceTransactions',
  'charges',
  'disputes',
  'events',
  'paymentIntents',
  'paymentMethodDomains',
  'refunds',
  'webhookEndpoints',
] as const;
/** Made by Stripe.js in the browser, by `confirmPayment()`. */
const IN_THE_BROWSER = ['paymentIntents.confirm'];

if (KEY === '') {
  process.stdout.write(
    'SKIPPED: the stand-in was not compared with Stripe. Set STRIPE_TEST_SECRET_KEY to a key of a sandbox.\n',
  );
}

/** A client that records which calls are made, as `paymentIntents.create`. */
function recording(stripe: Stripe, made: Set<string>): Stripe {
  return new Proxy(stripe, {
    get(client, name) {
      const resource = Reflect.get(client, name) as object;
      if (!RESOURCES.some((known) => known === name)) return resource;
      return new Proxy(resource, {
        get(of, method) {
          made.add(`${String(name)}.${String(method)}`);
          const call = Reflect.get(of, method) as unknown;
          return typeof call === 'function' ? (call as () => unknown).bind(of) : call;
        },
      });
    },
  });
}

/** Calls in our sources, as `paymentIntents.create`. */
function callsOfTheProduct(): string[] {
  const root = join(import.meta.dirname, '../..');
  const pattern = new RegExp(`\\b(${RESOURCES.join('|')})\\s*\\.(\\w+)\\(`, 'g');
  const files = globSync('{services,gateway,workers,operators}/**/*.ts', { cwd: root });
  const found = files
    .filter((file) => !file.includes('node_modules') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      // A resource may be taken out of the client first: `const { refunds } = stripe`.
      return text.includes('stripe')
        ? Array.from(
            text.matchAll(pattern),
            ([, resource = '', method = '']) => `${resource}.${method}`,
          )
        : [];
    });
  // A list of refunds has methods too, which are no calls.
  const client = new Stripe('sk_test_x') as unknown as Record<string, object>;
  const isCall = (name: string) => {
    const [resource = '', method = ''] = name.split('.');
    return typeof Reflect.get(client[resource] ?? {}, method) === 'function';
  };
  return [...new Set(found)].filter(isCall).toSorted();
}

test('the script makes every call that the product makes', async () => {
  const made = new Set<string>();
  const { url } = await startForTest();
  await runContract(recording(stripeAt(url), made), 0);
  const calls = callsOfTheProduct();
  expect(calls).toContain('paymentIntents.create');
  expect(calls.filter((call) => !made.has(call))).toEqual([]);
  expect([...made]).toEqual(expect.arrayContaining(IN_THE_BROWSER));
});

test('the stand-in answers each step as the documentation of Stripe says', async () => {
  const { url } = await startForTest();
  const answers = await runContract(stripeAt(url), 0);
  const outcomes = answers.map((answer) => {
    if ('error' in answer) return [answer.step, answer.error.code ?? answer.error.type];
    const { status, object, same } = answer.body;
    return [answer.step, status ?? same ?? object];
  });
  expect(Object.fromEntries(outcomes)).toEqual({
    'read the account': 'account',
    'list intents': 'list',
    'create an intent (paid)': 'requires_payment_method',
    'the same key': true,
    'the same key with another amount': 'idempotency_error',
    'read an unpaid intent': 'requires_payment_method',
    pay: 'succeeded',
    'pay twice': 'payment_intent_unexpected_state',
    'cancel a paid intent': 'payment_intent_unexpected_state',
    'read a paid intent': 'succeeded',
    'list disputes of a payment': 'list',
    'list intents since a time': 'list',
    'create an intent (declined)': 'requires_payment_method',
    'a declined card': 'card_declined',
    'read a declined intent': 'requires_payment_method',
    'list charges of a payment': 'list',
    'a card that needs authentication': 'requires_action',
    cancel: 'canceled',
    'pay a cancelled intent': 'payment_intent_unexpected_state',
    'cancel twice': 'payment_intent_unexpected_state',
    'an unknown intent': 'resource_missing',
    'an amount that is too small': 'amount_too_small',
    'a removed parameter': 'payment_method_types_no_longer_supported',
    'refund a part': 'succeeded',
    'the refund is of the payment': true,
    'refund more than is left': 'invalid_request_error',
    'refund an unpaid intent': 'payment_intent_unexpected_state',
    'list refunds of a payment': 'list',
    'create an intent (disputed)': 'requires_payment_method',
    'a card that is disputed': 'succeeded',
    'a dispute': 'list',
    'list transactions of the balance': 'list',
    'events of a payment': 'list',
    'undelivered events': 'list',
    'create a webhook endpoint': 'enabled',
    'add events to a webhook endpoint': 'enabled',
    'list webhook endpoints': 'list',
    'register a domain for wallets': 'payment_method_domain',
    'switch a domain on': 'payment_method_domain',
    'check a domain': 'payment_method_domain',
    'find a domain': 'list',
  });
});

test('a difference of state, error, type or field is found', () => {
  const at = (body: object) => [{ step: 'pay', body: { ...body } }];
  expect(differencesOf(at({ status: 'succeeded' }), at({ status: 'processing' }))).toHaveLength(1);
  expect(differencesOf(at({ created: 1 }), at({ created: 2, more: true }))).toEqual([]);
  expect(differencesOf(at({ created: 1 }), at({ created: '1' }))).toHaveLength(1);
  expect(differencesOf(at({ created: 1 }), at({}))).toHaveLength(1);
  expect(
    differencesOf(at({ charge: { paid: true } }), at({ charge: { paid: false } })),
  ).toHaveLength(1);
  const error = [{ step: 'pay', error: { type: 'card_error', code: 'card_declined' } }];
  expect(differencesOf(error, at({}))).toHaveLength(1);
  expect(differencesOf(error, error)).toEqual([]);
});

test.skipIf(KEY === '')(
  'Stripe answers each step as the stand-in does',
  { timeout: 180_000 },
  async () => {
    if (!/^(sk|rk)_test_/.test(KEY)) throw new Error('STRIPE_TEST_SECRET_KEY is not for test mode');
    const { url } = await startForTest();
    const [standIn, stripe] = await Promise.all([
      runContract(stripeAt(url), 0),
      runContract(new Stripe(KEY, { apiVersion: API_VERSION }), 30_000),
    ]);
    expect(differencesOf(standIn, stripe)).toEqual([]);
  },
);
