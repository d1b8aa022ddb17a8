import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';

import { defineEndpoint } from '../endpoint.ts';
import type { Call } from '../calls.ts';
import type { Context } from '../context.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import { LIST_PARAMS, listPage, ofPayment } from '../lists.ts';
import { mergeMetadata, readInteger, readText } from '../params.ts';
import type { Params } from '../params.ts';
import type { Work } from '../work.ts';
import { latestCharge } from './find-intent.ts';
import { refundCharge } from './refund-charge.ts';

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
