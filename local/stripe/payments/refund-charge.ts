import type Stripe from 'stripe';

import { invalidRequest } from '../errors.ts';
import { newId, nowInSeconds } from '../ids.ts';
import type { Work } from '../work.ts';

/** `amount` in minor units; null for all that is left. */
type Refunding = {
  amount: number | null;
  metadata: Record<string, string>;
  reason: string | null;
};

/**
 * Pays a part of a charge, or the rest of it, back.
 * @throws StripeProblem 400 when that much is not left, or a dispute has taken it
 */
export function refundCharge(
  work: Work,
  charge: Stripe.Charge,
  { amount, metadata, reason }: Refunding,
): Stripe.Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  refuseUnrefundable(work, charge);
  if (amount !== null && amount < 1) {
    throw invalidRequest('Invalid positive integer', 'parameter_invalid_integer', 'amount');
  }
  if (amount !== null && amount > left) {
    const show = (minor: number) => `${(minor / 100).toFixed(2)} ${charge.currency}`;
    throw invalidRequest(
      `Refund amount (${show(amount)}) is greater than unrefunded amount on charge (${show(left)})`,
      undefined,
      'amount',
    );
  }
  const refund = refundOf(charge, { amount: amount ?? left, metadata, reason });
  const amount_refunded = charge.amount_refunded + refund.amount;
  const refunded = { ...charge, amount_refunded, refunded: amount_refunded === charge.amount };
  work.put('refund', refund.id, refund);
  work.put('charge', refunded.id, refunded);
  work.emit('refund.created', refund);
  work.emit('charge.refunded', refunded);
  return refund;
}

function refuseUnrefundable(work: Work, charge: Stripe.Charge): void {
  const { id } = charge;
  if (!charge.paid) {
    throw invalidRequest(`Charge ${id} was not paid; cannot issue a refund.`, undefined, 'charge');
  }
  const disputes = work.all('dispute').filter((dispute) => dispute.charge === id);
  if (disputes.some((dispute) => !dispute.is_charge_refundable)) {
    throw invalidRequest(
      `Charge ${id} has been charged back; cannot issue a refund.`,
      'charge_disputed',
    );
  }
  if (charge.refunded) {
    throw invalidRequest(`Charge ${id} has already been refunded.`, 'charge_already_refunded');
  }
}

function refundOf(
  charge: Stripe.Charge,
  { amount, metadata, reason }: Refunding & { amount: number },
): Stripe.Refund {
  return {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: nowInSeconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}
