import { createHash } from 'node:crypto';

type TestCard = CardBehaviour & Pick<Card, 'brand'> & Partial<Pick<Card, 'country' | 'funding'>>;

/** Test cards by number. Source, except for the last: https://docs.stripe.com/testing */
const TEST_CARDS: Record<string, TestCard> = {
  '4242424242424242': visa('succeeds'),
  '4000056655665556': { ...visa('succeeds'), funding: 'debit' },
  '4000005780000007': { ...visa('succeeds'), country: 'NO' },
  '5555555555554444': { brand: 'mastercard', outcome: 'succeeds' },
  '378282246310005': { brand: 'amex', outcome: 'succeeds' },
  '4000000000000002': visa('generic_decline'),
  '4000000000009995': visa('insufficient_funds'),
  '4000000000009987': visa('lost_card'),
  '4000000000009979': visa('stolen_card'),
  '4000000000000069': visa('expired_card'),
  '4000000000000127': visa('incorrect_cvc'),
  '4000000000000119': visa('processing_error'),
  '4000002500003155': visa('succeeds', { authenticates: true }),
  '4000002760003184': visa('succeeds', { authenticates: true }),
  '4000000000003220': visa('succeeds', { authenticates: true }),
  '4000008400001629': visa('generic_decline', { authenticates: true }),
  '4000008260003178': visa('insufficient_funds', { authenticates: true }),
  '4000000000000259': visa('succeeds', { disputed: 'fraudulent' }),
  '4000000000002685': visa('succeeds', { disputed: 'product_not_received' }),
  // Specific to the stand-in: Stripe has no test card that stays in processing, and wallets only in a browser.
  '4000000000007700': visa('succeeds', { processes: true }),
};

/** Stripe's ready-made payment methods, and the card number of each. */
const TEST_PAYMENT_METHODS: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_visa_debit: '4000056655665556',
  pm_card_no: '4000005780000007',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
  pm_card_authenticationRequired: '4000002500003155',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: '4000008260003178',
  pm_card_threeDSecure2Required: '4000000000003220',
  pm_card_threeDSecureRequiredChargeDeclined: '4000008400001629',
  pm_card_createDispute: '4000000000000259',
  pm_card_createDisputeProductNotReceived: '4000000000002685',
  pm_card_processing: '4000000000007700',
};

/**
 * Finds the test card with this number. Declines any other number, which may be a real card, as Stripe does.
 */
export function cardWithNumber(number: string, month: number, year: number): Card {
  const known = Object.hasOwn(TEST_CARDS, number) ? TEST_CARDS[number] : undefined;
  const { brand, country, funding, ...behaviour } = known ?? {
    brand: 'unknown',
    outcome: 'test_mode_live_card' as const,
  };
  return {
    brand,
    country: country ?? 'US',
    exp_month: month,
    exp_year: year,
    fingerprint: createHash('sha256').update(number).digest('base64url').slice(0, 16),
    funding: funding ?? 'credit',
    last4: number.slice(-4),
    behaviour,
  };
}

/** Cards in a wallet, which exist in the stand-in only. */
const TEST_WALLETS: Record<string, Wallet> = {
  pm_card_applePay: 'apple_pay',
  pm_card_googlePay: 'google_pay',
};

/** The card of a ready-made payment method such as `pm_card_visa`, or null. */
export function testPaymentMethodCard(id: string): Card | null {
  if (Object.hasOwn(TEST_WALLETS, id)) {
    const year = new Date().getUTCFullYear() + 1;
    return { ...cardWithNumber('4242424242424242', 12, year), wallet: TEST_WALLETS[id] };
  }
  if (!Object.hasOwn(TEST_PAYMENT_METHODS, id)) return null;
  const number = TEST_PAYMENT_METHODS[id] ?? '';
  return cardWithNumber(number, 12, new Date().getUTCFullYear() + 1);
}

function visa(outcome: CardOutcome, rest: Omit<CardBehaviour, 'outcome'> = {}): TestCard {
  return { brand: 'visa', outcome, ...rest };
}

/**
 * The outcome of charging a card: null when it is paid, otherwise the decline.
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
  test_mode_live_card: declined(
    'test_mode_live_card',
    'Your card was declined. Your request was in test mode, but used a non test card. ' +
      'For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  ),
} as const satisfies Record<string, Decline | null>;
type CardOutcome = keyof typeof CARD_OUTCOMES;

export type Decline = { code: string; decline_code?: string; message: string };

/** The stored data of a card, without number and security code. */
export type Card = {
  brand: string;
  country: string;
  exp_month: number;
  exp_year: number;
  /** The same for every use of a card, whatever the expiry. */
  fingerprint: string;
  funding: 'credit' | 'debit';
  last4: string;
  behaviour: CardBehaviour;
  /** The wallet that the card is in. */
  wallet?: Wallet | undefined;
};

export const WALLETS = ['apple_pay', 'google_pay'] as const;
export type Wallet = (typeof WALLETS)[number];

/** The behaviour of a card in a payment. */
export type CardBehaviour = {
  outcome: CardOutcome;
  /** Requires 3D Secure before it is charged. */
  authenticates?: true;
  /** Leaves for a page of its own, where the customer accepts or refuses. */
  redirects?: true;
  /** Stays in processing until the control API settles it. */
  processes?: true;
  /** The charge succeeds and is then disputed. */
  disputed?: DisputeReason;
};

function declined<const C extends string>(decline_code: C, message: string) {
  return { code: 'card_declined', decline_code, message } as const;
}

/** The reasons of a dispute. Source: https://docs.stripe.com/disputes/categories */
export const DISPUTE_REASONS = [
  'credit_not_processed',
  'duplicate',
  'fraudulent',
  'general',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'unrecognized',
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];
