import type { FastifyInstance } from 'fastify';
import type Stripe from 'stripe';

import { defineEndpoint } from '../endpoint.ts';
import type { Call } from '../calls.ts';
import type { Context } from '../context.ts';
import { resourceMissing } from '../errors.ts';
import { LIST_PARAMS, listPage, ofPayment } from '../lists.ts';
import { mergeMetadata, readBoolean, readObject, readText, refuseUnknown } from '../params.ts';
import type { Work } from '../work.ts';
import { closeDispute, refuseClosed } from './dispute-charge.ts';
import { EVIDENCE } from './evidence.ts';

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
 * Two texts of evidence decide at once, as in a sandbox of Stripe: `winning_evidence` and
 * `losing_evidence`. Source: https://docs.stripe.com/testing#evidence
 */
function answerDispute(call: Call, work: Work): Stripe.Dispute {
  const { params } = call;
  const dispute = findDispute(call, work);
  refuseClosed(dispute);
  const evidence = readObject(params, 'evidence') ?? {};
  refuseUnknown(evidence, EVIDENCE);
  const given = Object.entries(evidence).map(([name]) => [name, readText(evidence, name)]);
  const submitted = given.length > 0 && readBoolean(params, 'submit') !== false;
  const { evidence_details: details } = dispute;
  const answered: Stripe.Dispute = {
    ...dispute,
    evidence: { ...dispute.evidence, ...(Object.fromEntries(given) as object) },
    evidence_details: {
      ...details,
      has_evidence: details.has_evidence || given.length > 0,
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
