import type Stripe from 'stripe';

import { invalidRequest } from '../errors.ts';
import { newId, nowInSeconds } from '../ids.ts';
import type { Work } from '../work.ts';
import type { DisputeReason } from './dispute-reasons.ts';
import { EVIDENCE } from './evidence.ts';
import type { Evidence } from './evidence.ts';

const ANSWER_SECONDS = 7 * 24 * 60 * 60;

/**
 * The cardholder's bank takes the money of a charge back.
 * @param amount in minor units
 * @throws StripeProblem 400 when the charge is not paid, is disputed, or is not worth that much
 */
export function disputeCharge(
  work: Work,
  charge: Stripe.Charge,
  reason: DisputeReason,
  amount: number,
): Stripe.Dispute {
  const left = charge.amount_captured - charge.amount_refunded;
  if (!charge.paid || charge.disputed || amount > left) {
    throw invalidRequest(`Charge ${charge.id} cannot be disputed for ${amount}.`);
  }
  const disputed = { ...charge, disputed: true };
  const dispute = disputeOf(charge, reason, amount);
  work.put('charge', disputed.id, disputed);
  work.put('dispute', dispute.id, dispute);
  work.emit('charge.dispute.created', dispute);
  work.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** @throws StripeProblem 400 when it is closed already */
export function closeDispute(
  work: Work,
  dispute: Stripe.Dispute,
  status: 'won' | 'lost',
): Stripe.Dispute {
  refuseClosed(dispute);
  const closed = { ...dispute, is_charge_refundable: status === 'won', status };
  work.put('dispute', closed.id, closed);
  work.emit('charge.dispute.closed', closed);
  if (status === 'won') work.emit('charge.dispute.funds_reinstated', closed);
  return closed;
}

/** @throws StripeProblem 400 */
export function refuseClosed(dispute: Stripe.Dispute): void {
  if (dispute.status !== 'won' && dispute.status !== 'lost') return;
  throw invalidRequest(`This dispute is already closed: it was ${dispute.status}.`);
}

function disputeOf(charge: Stripe.Charge, reason: DisputeReason, amount: number): Stripe.Dispute {
  const created = nowInSeconds();
  return {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      ...(Object.fromEntries(EVIDENCE.map((name) => [name, null])) as Record<Evidence, null>),
      enhanced_evidence: {},
    },
    evidence_details: {
      due_by: created + ANSWER_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  };
}
