import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';
import { type Call, defineEndpoint } from '../endpoint.ts';
import type { Context, Work } from '../work.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import {
  LIST_PARAMS,
  listPage,
  mergeMetadata,
  ofPayment,
  type Params,
  readInteger,
  readText,
} from '../params.ts';
import { bookRefund } from './balance.ts';
import { latestCharge } from './intent.ts';
import { newId, nowInSeconds } from '../ids.ts';

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'];

/** Refunds: https://docs.stripe.com/api/refunds */
export function registerRefunds(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/refunds',
    params: ['amount', 'charge', 'metadata', 'payment_intent', 'reason'],
    run: createRefund,
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/refunds',
    params: [...LIST_PARAMS, 'charge', 'payment_intent'],
    run: ({ params }, work) =>
      listPage(work.all('refund'), params, '/v1/refunds', ofPayment(params)),
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/refunds/:id',
    params: [],
    run({ id }, work) {
      const refund = work.get('refund', id);
      if (refund === undefined) throw resourceMissing('refund', id, 'id');
      return refund;
    },
  });
}

function createRefund({ params }: Call, work: Work): Stripe.Refund {
  const reason = readText(params, 'reason');
  if (reason !== null && !REASONS.includes(reason)) {
    const message = `Invalid reason: must be one of ${REASONS.join(', ')}`;
    throw invalidRequest(message, undefined, 'reason');
  }
  const charge = chargeFor(params, work);
  return refundCharge(work, charge, {
    amount: readInteger(params, 'amount'),
    metadata: mergeMetadata({}, params),
    reason,
  });
}

function chargeFor(params: Params, work: Work): Stripe.Charge {
  const chargeId = readText(params, 'charge');
  const intentId = readText(params, 'payment_intent');
  if ((chargeId === null) === (intentId === null)) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    );
  }
  if (chargeId !== null) {
    const charge = work.get('charge', chargeId);
    if (charge === undefined) throw resourceMissing('charge', chargeId, 'charge');
    return charge;
  }
  const id = intentId ?? '';
  const intent = work.get('payment_intent', id);
  if (intent === undefined) throw resourceMissing('payment_intent', id, 'payment_intent');
  const charge = latestCharge(work, intent);
  if (charge !== undefined && intent.status === 'succeeded') return charge;
  throw invalidRequest(
    `This PaymentIntent (${id}) does not have a successful charge to refund.`,
    'payment_intent_unexpected_state',
    'payment_intent',
  );
}

/** `amount` in minor units; null for the whole remaining amount. */
type Refunding = {
  amount: number | null;
  metadata: Record<string, string>;
  reason: string | null;
};

/**
 * Refunds a charge, in part or the whole remaining amount.
 * @throws StripeProblem 400 when the amount is more than what is left, or the charge is disputed
 */
function refundCharge(
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
  const made = refundOf(charge, { amount: amount ?? left, metadata, reason });
  const refund = bookRefund(work, made, charge);
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
    balance_transaction: null,
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
