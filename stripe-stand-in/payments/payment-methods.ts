import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import { type Card, cardWithNumber, testPaymentMethodCard, WALLETS } from './test-cards.ts';
import { defineEndpoint } from '../endpoint.ts';
import type { Context, Work } from '../work.ts';
import { invalidRequest, resourceMissing, StripeProblem } from '../errors.ts';
import { newId, nowInSeconds } from '../ids.ts';
import type { StoredPaymentMethod } from '../store.ts';
import { type Params, readObject, readText, requireInteger, requireText } from '../params.ts';

/** Payment methods and card tokens, which the browser creates from a card form. */
export function registerPaymentMethods(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/payment_methods',
    publishable: true,
    params: ['type', 'card', 'billing_details', 'metadata'],
    run: ({ params }, work) => createPaymentMethod(params, work).object,
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/payment_methods/:id',
    params: [],
    run: ({ id }, work) => findPaymentMethod(id, work, 'id').object,
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/tokens',
    publishable: true,
    params: ['card'],
    run({ params }, work) {
      const method = createPaymentMethod({ type: 'card', card: params.card }, work);
      const id = newId('tok');
      work.put('token', id, { id, payment_method: method.id });
      return tokenOf(id, method.object);
    },
  });
}

/** Creates a payment method from `card[number]…` or `card[token]`. Stored at the commit. */
export function createPaymentMethod(params: Params, work: Work): StoredPaymentMethod {
  const type = requireText(params, 'type');
  const billing = readObject(params, 'billing_details') ?? {};
  if (type === 'vipps') return createVipps(billing, work);
  const card = readObject(params, 'card');
  if (type !== 'card' || card === null) {
    throw invalidRequest(
      'Only payment methods of the types card and vipps are supported.',
      undefined,
      'type',
    );
  }
  const token = readText(card, 'token');
  if (token !== null) {
    const method = work.get('token', token)?.payment_method;
    if (method === undefined) throw resourceMissing('token', token, 'card[token]');
    return findPaymentMethod(method, work, 'card[token]');
  }
  return keep(readCard(card), billing, work);
}

/** Vipps has no data of its own: the customer identifies themselves on its page. */
function createVipps(billing: Params, work: Work): StoredPaymentMethod {
  const id = newId('pm');
  const { card: _card, ...common } = methodOf(id, testPaymentMethodCard('pm_card_visa')!, billing);
  const object = { ...common, type: 'vipps', vipps: {} } as unknown as Stripe.PaymentMethod;
  const method = { id, object, outcome: 'succeeds', redirects: true } as const;
  work.put('payment_method', id, method);
  return method;
}

/** Finds a payment method by id; a ready-made one such as `pm_card_visa` creates a new one each time. */
export function findPaymentMethod(id: string, work: Work, param: string): StoredPaymentMethod {
  const card = testPaymentMethodCard(id);
  if (card !== null) return keep(card, {}, work);
  const method = work.get('payment_method', id);
  if (method === undefined) throw resourceMissing('PaymentMethod', id, param);
  return method;
}

function keep(card: Card, billing: Params, work: Work): StoredPaymentMethod {
  const id = newId('pm');
  const method = { id, object: methodOf(id, card, billing), ...card.behaviour };
  work.put('payment_method', id, method);
  return method;
}

function methodOf(id: string, card: Card, billing: Params): Stripe.PaymentMethod {
  const address = readObject(billing, 'address') ?? {};
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: {
        city: readText(address, 'city'),
        country: readText(address, 'country'),
        line1: readText(address, 'line1'),
        line2: readText(address, 'line2'),
        postal_code: readText(address, 'postal_code'),
        state: readText(address, 'state'),
      },
      email: readText(billing, 'email'),
      name: readText(billing, 'name'),
      phone: readText(billing, 'phone'),
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: card.country,
      display_brand: card.brand,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      fingerprint: card.fingerprint,
      funding: card.funding,
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: card.wallet === undefined ? null : walletOf(card),
    },
    created: nowInSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
}

function walletOf({ wallet, last4 }: Card): Stripe.PaymentMethod.Card.Wallet {
  return { type: wallet!, dynamic_last4: last4, [wallet!]: {} };
}

function tokenOf(id: string, method: Stripe.PaymentMethod) {
  const { brand, country, exp_month, exp_year, funding, last4 } = method.card ?? {};
  const card = { brand, country, cvc_check: null, exp_month, exp_year, funding, last4 };
  return {
    id,
    object: 'token',
    card: { id: newId('card'), object: 'card', ...card },
    client_ip: null,
    created: method.created,
    livemode: false,
    type: 'card',
    used: false,
  };
}

/**
 * Reads the card in `card[number]`, `card[exp_month]`, `card[exp_year]`, `card[cvc]`, and `card[wallet]`, by which the
 * stand-in's own script names the wallet that it is in.
 * @throws StripeProblem 402 for data that Stripe rejects before any charge
 */
function readCard(params: Params): Card {
  const number = requireText(params, 'number').replaceAll(/[\s-]/g, '');
  const month = requireInteger(params, 'exp_month');
  const year = fullYear(requireInteger(params, 'exp_year'));
  const cvc = readText(params, 'cvc');

  if (!/^\d{12,19}$/.test(number)) {
    throw wrongCard(
      'invalid_number',
      'The card number is not a valid credit card number.',
      'number',
    );
  }
  if (!passesLuhn(number)) {
    throw wrongCard('incorrect_number', 'Your card number is incorrect.', 'number');
  }
  if (month < 1 || month > 12) {
    throw wrongCard(
      'invalid_expiry_month',
      "Your card's expiration month is invalid.",
      'exp_month',
    );
  }
  const now = new Date();
  if (year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1 || year > 2100) {
    throw wrongCard('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) {
    throw wrongCard('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  const wallet = WALLETS.find((it) => it === params.wallet);
  return { ...cardWithNumber(number, month, year), wallet };
}

/** Whether the check digit of a card number is correct (ISO/IEC 7812-1, annex B). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

function wrongCard(code: string, message: string, param: string): StripeProblem {
  return new StripeProblem(402, { type: 'card_error', code, message, param }, true);
}
