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
  readBoolean,
  readObject,
  readText,
  refuseUnknown,
} from '../params.ts';
import { newId, nowInSeconds } from '../ids.ts';
import { bookDispute } from './balance.ts';
import type { DisputeReason } from './test-cards.ts';

/** Disputes: https://docs.stripe.com/api/disputes */
export function registerDisputes(app: FastifyInstance, context: Context): void {
  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/disputes',
    params: [...LIST_PARAMS, 'charge', 'payment_intent'],
    run: ({ params }, work) =>
      listPage(work.all('dispute'), params, '/v1/disputes', ofPayment(params)),
  });

  defineEndpoint(app, context, {
    method: 'GET',
    url: '/v1/disputes/:id',
    params: [],
    run: findDispute,
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/disputes/:id',
    params: ['evidence', 'metadata', 'submit'],
    run: answerDispute,
  });

  defineEndpoint(app, context, {
    method: 'POST',
    url: '/v1/disputes/:id/close',
    params: [],
    run: (call, work) => closeDispute(work, findDispute(call, work), 'lost'),
  });
}

/**
 * Two texts of evidence decide a dispute immediately, as in a sandbox of Stripe: `winning_evidence` and
 * `losing_evidence`. Source: https://docs.stripe.com/testing#evidence
 */
function answerDispute(call: Call, work: Work): Stripe.Dispute {
  const { params } = call;
  const dispute = findDispute(call, work);
  refuseClosed(dispute);
  const evidence = readObject(params, 'evidence') ?? {};
  refuseUnknown(evidence, EVIDENCE);
  const texts = Object.entries(evidence).map(([name]) => [name, readText(evidence, name)]);
  const submitted = texts.length > 0 && readBoolean(params, 'submit') !== false;
  const { evidence_details: details } = dispute;
  const answered: Stripe.Dispute = {
    ...dispute,
    evidence: { ...dispute.evidence, ...(Object.fromEntries(texts) as object) },
    evidence_details: {
      ...details,
      has_evidence: details.has_evidence || texts.length > 0,
      submission_count: details.submission_count + (submitted ? 1 : 0),
    },
    metadata: mergeMetadata(dispute.metadata, params),
    status: submitted ? 'under_review' : dispute.status,
  };
  work.put('dispute', answered.id, answered);
  work.emit('charge.dispute.updated', answered);
  if (!submitted) return answered;
  const text = answered.evidence.uncategorized_text;
  if (text === 'winning_evidence') return closeDispute(work, answered, 'won');
  return text === 'losing_evidence' ? closeDispute(work, answered, 'lost') : answered;
}

function findDispute({ id }: Call, work: Work): Stripe.Dispute {
  const dispute = work.get('dispute', id);
  if (dispute === undefined) throw resourceMissing('dispute', id, 'id');
  return dispute;
}

const ANSWER_SECONDS = 7 * 24 * 60 * 60;

/**
 * Opens a dispute: the cardholder's bank takes back the money of a charge.
 * @param amount in minor units
 * @throws StripeProblem 400 when the charge is not paid, is disputed already, or is smaller than the amount
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
  const dispute = bookDispute(work, disputeOf(charge, reason, amount), 'withdrawn');
  work.put('charge', disputed.id, disputed);
  work.put('dispute', dispute.id, dispute);
  work.emit('charge.dispute.created', dispute);
  work.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** @throws StripeProblem 400 when it is already closed */
function closeDispute(work: Work, dispute: Stripe.Dispute, status: 'won' | 'lost'): Stripe.Dispute {
  refuseClosed(dispute);
  const decided = { ...dispute, is_charge_refundable: status === 'won', status };
  const closed = status === 'won' ? bookDispute(work, decided, 'reinstated') : decided;
  work.put('dispute', closed.id, closed);
  work.emit('charge.dispute.closed', closed);
  if (status === 'won') work.emit('charge.dispute.funds_reinstated', closed);
  return closed;
}

/** @throws StripeProblem 400 */
function refuseClosed(dispute: Stripe.Dispute): void {
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

/** The fields of evidence against a dispute. Source: https://docs.stripe.com/api/disputes/update */
const EVIDENCE = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const satisfies (keyof Stripe.Dispute.Evidence)[];
type Evidence = (typeof EVIDENCE)[number];
