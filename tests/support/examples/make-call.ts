import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { buildApp } from '@proveklar/gateway/app.ts';
import type { GatewayDeps } from '@proveklar/gateway/deps.ts';
import type { TestGateway } from '../gateway.ts';
import { swap, swapBack } from './compare.ts';
import type { DocumentedCall } from './documented-calls.ts';
import { COMMON_ERRORS, EARLY_ERRORS, withoutEnd } from './errors.ts';
import { emptyDatabase, type Call, type SetUp, type SetUps } from './set-up.ts';

/** The answer to a documented call, with the documented values in place of the real ones. */
export interface RealAnswer {
  status: number;
  body: unknown;
  headers: Record<string, unknown>;
}

/**
 * Sets up the database for a documented call and makes the call.
 *
 * @throws Error that says what to write, when the example has no set-up
 */
export async function makeCall(
  gateway: TestGateway,
  documented: DocumentedCall,
  setUps: SetUps,
): Promise<RealAnswer> {
  const { call, sentRequest } = await prepareCall(gateway, documented, setUps);
  const app = await appFor(gateway, call);
  const response = await app.inject({
    ...sentRequest,
    // A stream has no end to wait for.
    payloadAsStream: true,
  });
  const { headers } = response;
  const text = await readAnswer(response.stream(), documented.answer);
  const answer: unknown = String(headers['content-type']).startsWith('application/json')
    ? JSON.parse(text)
    : text;
  return { status: response.statusCode, body: swapBack(answer, call.real ?? {}), headers };
}

/** A request as it is sent. */
export interface SentRequest {
  method: 'GET';
  url: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  payload?: string;
}

/**
 * Sets up the database for a documented call.
 *
 * @returns the request to send
 * @throws Error that says what to write, when the example has no set-up
 */
export async function prepareCall(
  gateway: TestGateway,
  documented: DocumentedCall,
  setUps: SetUps,
): Promise<{ call: Call; sentRequest: SentRequest }> {
  const call = await prepare(gateway, documented, setUps);
  return { call, sentRequest: sentRequestOf(documented, call) };
}

/** The request to send for a documented call, once its set-up has run. */
export function sentRequestOf(documented: DocumentedCall, call: Call): SentRequest {
  const real = call.real ?? {};
  const request = swap(documented.request, real) as DocumentedCall['request'];
  const query = { ...request.query, ...call.query } as Record<string, string>;
  const path = { ...request.path, ...call.path } as Record<string, string>;
  const body = call.body === undefined ? request.body : swap(call.body, real);
  const payload = call.bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method: documented.method.toUpperCase() as 'GET',
    url: documented.url.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
      encodeURIComponent(path[name] ?? ''),
    ),
    query,
    headers: {
      ...(call.token && { authorization: `Bearer ${call.token}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(request.headers as Record<string, string>),
      ...call.headers,
    },
    ...(payload !== undefined && { payload }),
  };
}

type Replaceable = Pick<GatewayDeps, 'db' | 'identity' | 'isLive' | 'limits' | 'stripe'>;

let current: Replaceable;
let otherApp: Promise<FastifyInstance> | undefined;
afterAll(async () => (await otherApp)?.close());

/**
 * The gateway, or one with the call's own dependencies. It is built once, with dependencies that can be
 * replaced, because building a gateway takes longer than a call.
 */
async function appFor({ app, deps }: TestGateway, call: Call): Promise<FastifyInstance> {
  if (!call.deps) return app;
  current = { ...deps, db: withoutEnd(deps.db), ...call.deps };
  otherApp ??= buildApp({
    ...deps,
    db: replaceable('db'),
    identity: replaceable('identity'),
    limits: replaceable('limits'),
    stripe: replaceable('stripe'),
    get isLive() {
      return current.isLive;
    },
  });
  return otherApp;
}

/** A proxy of the dependency that is in `current` under this name when it is used. */
function replaceable<Name extends Exclude<keyof Replaceable, 'isLive'>>(
  name: Name,
): Replaceable[Name] {
  return new Proxy({} as Replaceable[Name], {
    get: (_target, key) => {
      const dependency = current[name];
      const value: unknown = Reflect.get(dependency, key);
      return typeof value === 'function' ? (value.bind(dependency) as unknown) : value;
    },
  });
}

/** Reads a whole answer; of one that is not JSON, as many characters as are documented. */
async function readAnswer(stream: Readable, documented: unknown): Promise<string> {
  const enough = typeof documented === 'string' ? documented.length : Infinity;
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.length >= enough) break;
  }
  return text;
}

/** The set-up of one operation, which no call has changed since. */
let untouched: { base: string; call: Call } | undefined;

async function setUpOnce(gateway: TestGateway, base: string, begin: SetUp): Promise<Call> {
  if (untouched?.base !== base) untouched = { base, call: await inEmptyDatabase(gateway, begin) };
  return untouched.call;
}

async function inEmptyDatabase(gateway: TestGateway, begin: SetUp): Promise<Call> {
  untouched = undefined;
  await emptyDatabase(gateway.deps.db);
  return begin(gateway);
}

/**
 * The calls in an order in which those of one operation that change nothing follow each other, and share one
 * set-up with the error that changes it.
 */
export function inOrder(calls: DocumentedCall[], setUps: SetUps): DocumentedCall[] {
  const sharing = (call: DocumentedCall) =>
    changesNothing(call, setUps) || endsSharing(call, setUps);
  const shared = Map.groupBy(calls.filter(sharing), ({ operationId }) => operationId);
  return [
    ...calls.filter((call) => !sharing(call)),
    ...[...shared.values()].flatMap((ofOperation) => [
      ...ofOperation.filter((call) => !endsSharing(call, setUps)),
      ...ofOperation.filter((call) => endsSharing(call, setUps)),
    ]),
  ];
}

function changesNothing({ name, base, method, code }: DocumentedCall, setUps: SetUps): boolean {
  if (name === base) return method === 'get';
  return code !== undefined && EARLY_ERRORS.has(code) && !(name in setUps);
}

function endsSharing({ name, code }: DocumentedCall, setUps: SetUps): boolean {
  return code === 'account_disabled' && !(name in setUps);
}

async function prepare(
  gateway: TestGateway,
  documented: DocumentedCall,
  setUps: SetUps,
): Promise<Call> {
  const { name, base, code } = documented;
  const own = setUps[name];
  if (own) {
    return changesNothing(documented, setUps)
      ? setUpOnce(gateway, name, own)
      : inEmptyDatabase(gateway, own);
  }
  const makeFail = code ? COMMON_ERRORS[code] : undefined;
  const begin = setUps[base];
  if (code && makeFail && begin) {
    const shares = changesNothing(documented, setUps) || endsSharing(documented, setUps);
    const call = await (shares ? setUpOnce(gateway, base, begin) : inEmptyDatabase(gateway, begin));
    if (!changesNothing(documented, setUps)) untouched = undefined;
    return makeFail(call, documented, gateway);
  }
  throw new Error(
    `This example has no set-up: write '${begin ? name : base}' in tests/support/examples/`,
  );
}
