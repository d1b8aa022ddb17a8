import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { authenticate, requireSecret } from './api-keys.ts';
import type { KeyKind } from './api-keys.ts';
import { StripeProblem, errorBody } from './errors.ts';
import { expand } from './expand.ts';
import { findAnswer, fingerprintOf } from './idempotency.ts';
import { nowInSeconds } from './ids.ts';
import { refuseUnknown } from './params.ts';
import type { Params } from './params.ts';
import type { Store } from './store.ts';
import { beginWork } from './work.ts';
import type { Work } from './work.ts';
import type { Webhooks } from './webhooks.ts';

export type Context = { store: Store; webhooks: Webhooks };

export type Call = { keyKind: KeyKind; id: string; params: Params };

export type Endpoint = {
  method: 'GET' | 'POST';
  url: string;
  /** Whether the browser may call it too. */
  publishable?: true;
  /** The parameters it knows, besides those that every call may carry. */
  params: readonly string[];
  run(call: Call, work: Work): object;
};

/** `payment_user_agent` and its like are what Stripe.js adds to everything. */
const EVERYWHERE = ['expand', 'key', '_stripe_version', 'payment_user_agent'];

/**
 * Registers one API call: authenticate, look the idempotency key up, run, commit the work together
 * with the answer, answer. All of it between the look-up and the commit is synchronous, so no other
 * request with the same key can come in between; the webhooks start after the commit.
 */
export function defineEndpoint(app: FastifyInstance, context: Context, endpoint: Endpoint): void {
  app.route({
    method: endpoint.method,
    url: endpoint.url,
    handler: (request, reply) => answer(request, reply, context, endpoint),
  });
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
  endpoint: Endpoint,
): FastifyReply {
  const { store, webhooks } = context;
  const params = ((endpoint.method === 'GET' ? request.query : request.body) ?? {}) as Params;
  const keyKind = authenticate(request.headers.authorization, params);
  if (endpoint.publishable === undefined) requireSecret(keyKind);

  const path = request.url.split('?', 1)[0] ?? request.url;
  const key = endpoint.method === 'POST' ? headerOf(request, 'idempotency-key') : null;
  if (key !== null) {
    void reply.header('idempotency-key', key);
    const earlier = findAnswer(store, key, path, params);
    if (earlier !== null) {
      void reply
        .header('idempotent-replayed', 'true')
        .header('original-request', earlier.requestId);
      return reply.code(earlier.status).send(earlier.body);
    }
  }

  const work = beginWork(
    store,
    { requestId: request.id, idempotencyKey: key },
    webhooks.configured,
  );
  const { status, body } = run(request, endpoint, keyKind, params, work);
  if (key !== null) {
    const fingerprint = fingerprintOf(params);
    const created = nowInSeconds();
    const requestId = request.id;
    const kept = { id: key, created, requestId, path, fingerprint, status, body };
    work.put('idempotent_answer', key, kept);
  }
  store.commit(work.changes);
  webhooks.deliver(work.eventIds);
  return reply.code(status).send(body);
}

/** Runs the call; the answer of a request that was executed and failed is an answer like any. */
function run(
  request: FastifyRequest,
  endpoint: Endpoint,
  keyKind: KeyKind,
  params: Params,
  work: Work,
): { status: number; body: object } {
  try {
    refuseUnknown(params, [...endpoint.params, ...EVERYWHERE]);
    const { id = '' } = request.params as { id?: string };
    return { status: 200, body: expand(work, endpoint.run({ keyKind, id, params }, work), params) };
  } catch (error) {
    if (!(error instanceof StripeProblem) || !error.executed) throw error;
    return { status: error.status, body: errorBody(error.fields, request.id) };
  }
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
