import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate, type KeyKind, requireSecret } from './api-keys.ts';
import { beginWork, commitWork, type Context, type Work } from './work.ts';
import { type Params, readTexts, refuseUnknown } from './params.ts';
import { errorBody, type ErrorFields, invalidRequest, StripeProblem } from './errors.ts';
import type { CallFaultOrder, Hit } from './control/faults.ts';
import { nowInSeconds } from './ids.ts';
import { createHash } from 'node:crypto';
import { IDEMPOTENCY_SECONDS, type IdempotentAnswer, type Store } from './store.ts';

/** Registers one API call: authenticates, executes, responds; unless a fault applies to it. */
export function defineEndpoint(app: FastifyInstance, context: Context, endpoint: Endpoint): void {
  const { method, url } = endpoint;
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      const incoming = read(request, endpoint);
      const { key } = incoming;
      if (key !== null) {
        void reply.header('idempotency-key', key);
        refuseKeyInUse(context.keysInUse, key);
      }
      const hit = context.faults.hitCall(`${method} ${url}`);
      const answer =
        hit === null
          ? execute(context, endpoint, incoming)
          : await answerFaulty(context, endpoint, incoming, hit);
      return answer === null ? dropConnection(reply) : send(reply, answer);
    },
  });
}

function read(request: FastifyRequest, endpoint: Endpoint): Incoming {
  const isGet = endpoint.method === 'GET';
  const params = ((isGet ? request.query : request.body) ?? {}) as Params;
  const keyKind = authenticate(request.headers.authorization, params);
  if (endpoint.publishable === undefined) requireSecret(keyKind);
  const header = request.headers['idempotency-key'];
  const { id = '' } = request.params as { id?: string };
  return {
    requestId: request.id,
    keyKind,
    key: !isGet && typeof header === 'string' && header !== '' ? header : null,
    path: request.url.split('?', 1)[0] ?? request.url,
    id,
    params,
    origin: `http://${request.host}`,
  };
}

function send(reply: FastifyReply, { status, body, replayOf }: Answer): FastifyReply {
  if (replayOf !== undefined) {
    void reply.header('idempotent-replayed', 'true').header('original-request', replayOf);
  }
  return reply.code(status).send(body);
}

/** Drops the connection without a response. */
function dropConnection(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

/** The parts of a request that the API uses. */
type Incoming = {
  requestId: string;
  keyKind: KeyKind;
  /** The idempotency key. */
  key: string | null;
  /** Without the query. */
  path: string;
  /** The `:id` in the path, or an empty string. */
  id: string;
  params: Params;
  origin: string;
};

/** The arguments of a call. */
export type Call = Pick<Incoming, 'keyKind' | 'id' | 'params' | 'origin'>;

/** One call of the API. */
type Endpoint = {
  method: 'GET' | 'POST';
  url: string;
  /** Whether the browser may call it too. */
  publishable?: true;
  /** Its parameters, besides those that every call accepts. */
  params: readonly string[];
  run(call: Call, work: Work): object;
};

/**
 * The response of a call with a fault; null to drop the connection. A call that is held before it runs is run
 * when it is released, even if its client has left.
 */
async function answerFaulty(
  context: Context,
  endpoint: Endpoint,
  incoming: Incoming,
  { order, released }: Hit<CallFaultOrder>,
): Promise<Answer | null> {
  if (order.kind === 'error') {
    return execute(context, endpoint, incoming, {
      ...errorOf(incoming, order.status ?? 500),
      runs: order.when === 'after',
      stored: order.stored === true,
    });
  }
  if (order.kind === 'hang') {
    return hang(context, endpoint, incoming, order.when ?? 'before', released);
  }
  if (order.when !== 'before') execute(context, endpoint, incoming);
  return null;
}

async function hang(
  context: Context,
  endpoint: Endpoint,
  incoming: Incoming,
  when: 'before' | 'after',
  released: Promise<void>,
): Promise<Answer> {
  if (when === 'before') {
    await waitWithKeyInUse(context, incoming.key, released);
    return execute(context, endpoint, incoming);
  }
  const answer = execute(context, endpoint, incoming);
  await released;
  return answer;
}

async function waitWithKeyInUse(
  { keysInUse }: Context,
  key: string | null,
  released: Promise<void>,
): Promise<void> {
  if (key === null) return released;
  keysInUse.add(key);
  await released;
  keysInUse.delete(key);
  return undefined;
}

function errorOf({ requestId }: Incoming, status: number): Answer {
  return { status, body: errorBody(fieldsOf(status, requestId), requestId) };
}

function fieldsOf(status: number, requestId: string): ErrorFields {
  if (status === 429) {
    const message = 'Request rate limit exceeded.';
    return { type: 'invalid_request_error', code: 'rate_limit', message };
  }
  return { type: 'api_error', message: `An unknown error occurred (${requestId})` };
}

type Answer = {
  status: number;
  body: object;
  /** The id of the original request, for a replayed response. */
  replayOf?: string;
};

/** A response that a fault returns instead of the real one. */
type InjectedAnswer = Answer & {
  /** Whether the call runs nevertheless. */
  runs: boolean;
  /** Whether this response is stored under the idempotency key. */
  stored: boolean;
};

/**
 * Looks up the idempotency key, runs the call, and commits its changes together with the response. All of it is
 * synchronous, so no other request with the same key can interleave.
 * @throws StripeProblem, when nothing is stored
 */
function execute(
  context: Context,
  endpoint: Endpoint,
  incoming: Incoming,
  injected: InjectedAnswer | null = null,
): Answer {
  const { key, path, params, requestId } = incoming;
  const earlier = key === null ? null : findAnswer(context.store, key, path, params);
  if (earlier !== null) {
    const { status, body } = earlier;
    return injected?.stored === false ? injected : { status, body, replayOf: earlier.requestId };
  }

  const work = beginWork(context, { requestId, idempotencyKey: key });
  const real = injected?.runs === false ? null : run(endpoint, incoming, work);
  const stored = injected?.stored === true ? injected : real;
  if (key !== null && stored !== null) {
    const { status, body } = stored;
    const fingerprint = fingerprintOf(params);
    const answer = { id: key, created: nowInSeconds(), requestId, path, fingerprint, status, body };
    work.put('idempotent_answer', key, answer);
  }
  commitWork(context, work);
  return injected ?? real!;
}

/** Also stores the response of a request that was executed and failed. */
function run(endpoint: Endpoint, incoming: Incoming, work: Work): Answer {
  const { params } = incoming;
  try {
    refuseUnknown(params, [...endpoint.params, ...COMMON_PARAMS]);
    return { status: 200, body: expand(work, endpoint.run(incoming, work), params) };
  } catch (error) {
    if (!(error instanceof StripeProblem) || !error.executed) throw error;
    return { status: error.status, body: errorBody(error.fields, incoming.requestId) };
  }
}

/** Parameters that every call accepts. Stripe.js adds `payment_user_agent` and similar ones. */
const COMMON_PARAMS = ['expand', 'key', '_stripe_version', 'payment_user_agent'];

const MAX_KEY_LENGTH = 255;

/**
 * The stored response of this key, or null for a new request.
 * @throws StripeProblem 400 `idempotency_error` when the key was used for something else
 */
function findAnswer(
  store: Store,
  key: string,
  path: string,
  params: Params,
): IdempotentAnswer | null {
  if (key.length > MAX_KEY_LENGTH) {
    throw misuse(`Idempotency keys may not be longer than ${MAX_KEY_LENGTH} characters.`);
  }
  const answer = store.get('idempotent_answer', key);
  if (answer === undefined || answer.created <= nowInSeconds() - IDEMPOTENCY_SECONDS) return null;
  if (answer.path !== path) {
    throw misuse(
      'Keys for idempotent requests can only be used for the same endpoint they were first used ' +
        `for ('${path}' vs '${answer.path}'). Try using a key other than '${key}' if you meant to ` +
        'execute a different request.',
    );
  }
  if (answer.fingerprint !== fingerprintOf(params)) {
    throw misuse(
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
        `used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }
  return answer;
}

/**
 * A fingerprint of a request's parameters. Of a card number it includes the last four digits only, so that
 * a card number cannot be found by trying.
 */
function fingerprintOf(params: Params): string {
  const text = JSON.stringify(params, (name, value: unknown) => {
    if (name === 'number' && typeof value === 'string') return value.slice(-4);
    return name === 'cvc' ? undefined : value;
  });
  return createHash('sha256').update(text).digest('base64url');
}

/** @throws StripeProblem 409 while another request with this key has not been run yet */
function refuseKeyInUse(keysInUse: ReadonlySet<string>, key: string): void {
  if (!keysInUse.has(key)) return;
  throw new StripeProblem(409, {
    type: 'invalid_request_error',
    code: 'idempotency_key_in_use',
    message:
      'There is currently another in-progress request using this Idempotency-Key (that probably ' +
      `means you submitted twice, and the other request is still going through): ${key}. Please ` +
      'try again later.',
  });
}

function misuse(message: string): StripeProblem {
  return new StripeProblem(400, { type: 'idempotency_error', message });
}

/** Fields that hold an id and can be asked for as the object itself. */
const EXPANDABLE = {
  charge: (work: Work, id: string) => work.get('charge', id),
  latest_charge: (work: Work, id: string) => work.get('charge', id),
  payment_intent: (work: Work, id: string) => work.get('payment_intent', id),
  payment_method: (work: Work, id: string) => work.get('payment_method', id)?.object,
  source: (work: Work, id: string) =>
    work.get('charge', id) ?? work.get('refund', id) ?? work.get('dispute', id),
} as const;

/**
 * Replaces the ids named by `expand[]` with their objects, one level deep; `data.` reaches into
 * the items of a list. Source: https://docs.stripe.com/expand
 */
function expand(work: Work, body: object, params: Params): object {
  const paths = readTexts(params, 'expand');
  if (paths === null) return body;
  const ofItems = paths.filter((path) => path.startsWith('data.')).map((path) => path.slice(5));
  const ofBody = paths.filter((path) => !path.startsWith('data.'));
  const expanded: Record<string, unknown> = { ...expandFields(work, body, ofBody) };
  if (ofItems.length > 0 && Array.isArray(expanded.data)) {
    expanded.data = expanded.data.map((item: object) => expandFields(work, item, ofItems));
  }
  return expanded;
}

function expandFields(work: Work, body: object, fields: string[]): object {
  const expanded: Record<string, unknown> = { ...body };
  for (const field of fields) {
    const value = expanded[field];
    if (!(field in EXPANDABLE) || value === undefined) {
      throw invalidRequest(`This property cannot be expanded (${field}).`, undefined, 'expand');
    }
    const load = EXPANDABLE[field as keyof typeof EXPANDABLE];
    if (typeof value === 'string') expanded[field] = load(work, value) ?? value;
  }
  return expanded;
}
