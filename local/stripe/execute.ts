import type { Endpoint, Incoming } from './calls.ts';
import { commitWork } from './commit-work.ts';
import type { Context } from './context.ts';
import { StripeProblem, errorBody } from './errors.ts';
import { expand } from './expand.ts';
import { findAnswer, fingerprintOf } from './idempotency.ts';
import { nowInSeconds } from './ids.ts';
import { refuseUnknown } from './params.ts';
import { beginWork } from './work.ts';
import type { Work } from './work.ts';

export type Answer = {
  status: number;
  body: object;
  /** The request whose answer this is, when it is given again. */
  replayOf?: string;
};

/** An answer that a fault gives instead of the true one. */
export type WrongAnswer = Answer & {
  /** Whether the call is run all the same. */
  runs: boolean;
  /** Whether this is what the idempotency key remembers. */
  stored: boolean;
};

/**
 * Looks the idempotency key up, runs the call, and commits its work together with the answer. All
 * of it is synchronous, so no other request with the same key can come in between.
 * @throws StripeProblem, when nothing is kept
 */
export function execute(
  context: Context,
  endpoint: Endpoint,
  incoming: Incoming,
  wrong: WrongAnswer | null = null,
): Answer {
  const { key, path, params, requestId } = incoming;
  const earlier = key === null ? null : findAnswer(context.store, key, path, params);
  if (earlier !== null) {
    const { status, body } = earlier;
    return wrong?.stored === false ? wrong : { status, body, replayOf: earlier.requestId };
  }

  const work = beginWork(context, { requestId, idempotencyKey: key });
  const truth = wrong?.runs === false ? null : run(endpoint, incoming, work);
  const remembered = wrong?.stored === true ? wrong : truth;
  if (key !== null && remembered !== null) {
    const { status, body } = remembered;
    const fingerprint = fingerprintOf(params);
    const kept = { id: key, created: nowInSeconds(), requestId, path, fingerprint, status, body };
    work.put('idempotent_answer', key, kept);
  }
  commitWork(context, work);
  return wrong ?? truth!;
}

/** The answer of a request that was executed and failed is an answer like any. */
function run(endpoint: Endpoint, incoming: Incoming, work: Work): Answer {
  const { params } = incoming;
  try {
    refuseUnknown(params, [...endpoint.params, ...EVERYWHERE]);
    return { status: 200, body: expand(work, endpoint.run(incoming, work), params) };
  } catch (error) {
    if (!(error instanceof StripeProblem) || !error.executed) throw error;
    return { status: error.status, body: errorBody(error.fields, incoming.requestId) };
  }
}

/** `payment_user_agent` and its like are what Stripe.js adds to everything. */
const EVERYWHERE = ['expand', 'key', '_stripe_version', 'payment_user_agent'];
