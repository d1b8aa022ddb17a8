import type Stripe from 'stripe';

import { unexpectedState } from '../errors.ts';
import type { Work } from '../work.ts';
import { CARD_OUTCOMES } from './cards.ts';
import { endCharge } from './charge-card.ts';
import { attachedMethod, latestCharge } from './find-intent.ts';

/** How a payment ends that was in processing. */
export const SETTLEMENTS = ['succeed', 'fail'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** @throws StripeProblem 400 when the intent is not in processing */
export function settleProcessing(
  work: Work,
  intent: Stripe.PaymentIntent,
  settlement: Settlement,
): Stripe.PaymentIntent {
  const charge = latestCharge(work, intent);
  if (intent.status !== 'processing' || charge === undefined) {
    throw unexpectedState(
      `This PaymentIntent has a status of ${intent.status} and is not in processing.`,
      intent,
    );
  }
  const decline = settlement === 'succeed' ? null : CARD_OUTCOMES.generic_decline;
  return endCharge(work, intent, attachedMethod(work, intent), charge, decline);
}
