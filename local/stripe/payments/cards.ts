import type { DisputeReason } from './dispute-reasons.ts';

/**
 * How charging a card ends: null when it is paid, or why it is declined.
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
export type CardOutcome = keyof typeof CARD_OUTCOMES;

export type Decline = { code: string; decline_code?: string; message: string };

/** What is kept of a card: never its number or its security code. */
export type Card = {
  brand: string;
  country: string;
  exp_month: number;
  exp_year: number;
  /** The same for every use of one card, whatever expiry is typed. */
  fingerprint: string;
  funding: 'credit' | 'debit';
  last4: string;
  behaviour: CardBehaviour;
};

/** What paying with a card does. */
export type CardBehaviour = {
  outcome: CardOutcome;
  /** Asks for 3D Secure before it is charged. */
  authenticates?: true;
  /** Stays in processing until the control API settles it. */
  processes?: true;
  /** Is charged, and then the charge is disputed. */
  disputed?: DisputeReason;
};

function declined<const C extends string>(decline_code: C, message: string) {
  return { code: 'card_declined', decline_code, message } as const;
}
