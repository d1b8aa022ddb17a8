import { StripeProblem } from './errors.ts';
import { requireInteger, requireText, readText } from './params.ts';
import type { Params } from './params.ts';

/**
 * What happens when a card is charged: null, or why it is declined.
 * Source: https://docs.stripe.com/testing and https://docs.stripe.com/declines/codes
 */
export const CARD_OUTCOMES = {
  succeeds: null,
  generic_decline: declined('generic_decline', 'Your card was declined.'),
  insufficient_funds: declined('insufficient_funds', 'Your card has insufficient funds.'),
  lost_card: declined('lost_card', 'Your card was declined.'),
  stolen_card: declined('stolen_card', 'Your card was declined.'),
  expired_card: { code: 'expired_card', message: 'Your card has expired.' },
  incorrect_cvc: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  processing_error: {
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  authentication_required: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
  test_mode_live_card: declined(
    'test_mode_live_card',
    'Your card was declined. Your request was in test mode, but used a non test card. ' +
      'For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  ),
} as const satisfies Record<string, Decline | null>;
export type CardOutcome = keyof typeof CARD_OUTCOMES;

export type Decline = { code: string; decline_code?: string; message: string };

/** What is kept of a card: never its number or its security code. */
export type Card = {
  brand: string;
  country: string;
  exp_month: number;
  exp_year: number;
  funding: 'credit' | 'debit';
  last4: string;
  outcome: CardOutcome;
};

type TestCard = Pick<Card, 'brand' | 'outcome'> & Partial<Pick<Card, 'country' | 'funding'>>;

const TEST_CARDS = new Map<string, TestCard>([
  ['4242424242424242', { brand: 'visa', outcome: 'succeeds' }],
  ['4000056655665556', { brand: 'visa', outcome: 'succeeds', funding: 'debit' }],
  ['4000005780000007', { brand: 'visa', outcome: 'succeeds', country: 'NO' }],
  ['5555555555554444', { brand: 'mastercard', outcome: 'succeeds' }],
  ['378282246310005', { brand: 'amex', outcome: 'succeeds' }],
  ['4000000000000002', { brand: 'visa', outcome: 'generic_decline' }],
  ['4000000000009995', { brand: 'visa', outcome: 'insufficient_funds' }],
  ['4000000000009987', { brand: 'visa', outcome: 'lost_card' }],
  ['4000000000009979', { brand: 'visa', outcome: 'stolen_card' }],
  ['4000000000000069', { brand: 'visa', outcome: 'expired_card' }],
  ['4000000000000127', { brand: 'visa', outcome: 'incorrect_cvc' }],
  ['4000000000000119', { brand: 'visa', outcome: 'processing_error' }],
  // Asks for 3D Secure at Stripe; declined here until the stand-in can ask for it.
  ['4000002500003155', { brand: 'visa', outcome: 'authentication_required' }],
]);

/** Stripe's ready-made payment methods, by the number that each stands for. */
const TEST_PAYMENT_METHODS = new Map([
  ['pm_card_visa', '4242424242424242'],
  ['pm_card_visa_debit', '4000056655665556'],
  ['pm_card_no', '4000005780000007'],
  ['pm_card_mastercard', '5555555555554444'],
  ['pm_card_amex', '378282246310005'],
  ['pm_card_chargeDeclined', '4000000000000002'],
  ['pm_card_visa_chargeDeclined', '4000000000000002'],
  ['pm_card_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_chargeDeclinedExpiredCard', '4000000000000069'],
  ['pm_card_chargeDeclinedIncorrectCvc', '4000000000000127'],
  ['pm_card_chargeDeclinedProcessingError', '4000000000000119'],
  ['pm_card_authenticationRequired', '4000002500003155'],
]);

/** The card behind a ready-made payment method such as `pm_card_visa`, or null. */
export function testPaymentMethodCard(id: string): Card | null {
  const number = TEST_PAYMENT_METHODS.get(id);
  return number === undefined ? null : describe(number, 12, new Date().getUTCFullYear() + 1);
}

/**
 * The card in `card[number]`, `card[exp_month]`, `card[exp_year]`, `card[cvc]`.
 * @throws StripeProblem 402 where Stripe finds the data wrong before any charge is tried
 */
export function readCard(params: Params): Card {
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
  return describe(number, month, year);
}

/** Whether the check digit of a card number is right (ISO/IEC 7812-1, annex B). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

function describe(number: string, month: number, year: number): Card {
  // A number that is not a test card may belong to somebody: it is declined, as Stripe does.
  const known = TEST_CARDS.get(number) ?? {
    brand: 'unknown',
    outcome: 'test_mode_live_card' as const,
  };
  return {
    brand: known.brand,
    country: known.country ?? 'US',
    exp_month: month,
    exp_year: year,
    funding: known.funding ?? 'credit',
    last4: number.slice(-4),
    outcome: known.outcome,
  };
}

function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

function declined<const C extends string>(decline_code: C, message: string) {
  return { code: 'card_declined', decline_code, message } as const;
}

function wrongCard(code: string, message: string, param: string): StripeProblem {
  return new StripeProblem(402, { type: 'card_error', code, message, param }, true);
}
