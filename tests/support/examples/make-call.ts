import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { buildApp } from '@proveklar/gateway/app.ts';
import type { GatewayDeps } from '@proveklar/gateway/deps.ts';
import type { TestGateway } from '../gateway.ts';
import { swap, swapBack } from './compare.ts';
import type { DocumentedCall } from './documented-calls.ts';
import { COMMON_ERRORS, EARLY_ERRORS, lent } from './errors.ts';
import { emptyDatabase, type Call, type SetUp, type SetUps } from './set-up.ts';

/** The answer to a documented call, with the documented values in the place of the real ones. */
export interface RealAnswer {
  status: number;
  body: unknown;
  headers: Record<string, unknown>;
}

/**
 * Makes the world of a documented call and calls it.
 *
 * @throws Error that says what to write, when nothing says how to make that world
 */
export async function makeCall(
  gateway: TestGateway,
  documented: DocumentedCall,
  setUps: SetUps,
): Promise<RealAnswer> {
  const { call, order } = await prepareCall(gateway, documented, setUps);
  const app = await appFor(gateway, call);
  const response = await app.inject({
    ...order,
    // A stream has no end to wait for.
    payloadAsStream: true,
  });
  const { headers } = response;
  const text = await readAsMuch(response.stream(), documented.answer);
  const answer: unknown = String(headers['content-type']).startsWith('application/json')
    ? JSON.parse(text)
    : text;
  return { status: response.statusCode, body: swapBack(answer, call.real ?? {}), headers };
}

/** A request as it is sent. */
export interface Order {
  method: 'GET';
  url: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  payload?: string;
}

/**
 * Makes the world of a documented call, and says what to send there.
 *
 * @throws Error that says what to write, when nothing says how to make that world
 */
export async function prepareCall(
  gateway: TestGateway,
  documented: DocumentedCall,
  setUps: SetUps,
): Promise<{ call: Call; order: Order }> {
  const call = await prepare(gateway, documented, setUps);
  return { call, order: orderOf(documented, call) };
}

/** What to send in the world that was made for a documented call. */
export function orderOf(documented: DocumentedCall, call: Call): Order {
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

type Replaceable = Pick<GatewayDeps, 'db' | 'identity' | 'limits' | 'stripe'>;

let parts: Replaceable;
let otherApp: Promise<FastifyInstance> | undefined;
afterAll(async () => (await otherApp)?.close());

/** The gateway, or another whose parts are those of this call. To build one takes longer than a call. */
async function appFor({ app, deps }: TestGateway, call: Call): Promise<FastifyInstance> {
  if (!call.deps) return app;
  parts = { ...deps, db: lent(deps.db), ...call.deps };
  otherApp ??= buildApp({
    ...deps,
    db: partOf('db'),
    identity: partOf('identity'),
    limits: partOf('limits'),
    stripe: partOf('stripe'),
  });
  return otherApp;
}

/** Whatever stands in `parts` under this name when it is used. */
function partOf<Name extends keyof Replaceable>(name: Name): Replaceable[Name] {
  return new Proxy({} as Replaceable[Name], {
    get: (_target, key) => {
      const part = parts[name];
      const value: unknown = Reflect.get(part, key);
      return typeof value === 'function' ? (value.bind(part) as unknown) : value;
    },
  });
}

/** All of an answer; of one that is no JSON, as much as is documented. */
async function readAsMuch(stream: Readable, documented: unknown): Promise<string> {
  const enough = typeof documented === 'string' ? documented.length : Infinity;
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.length >= enough) break;
  }
  return text;
}

/** The world of the early errors of one operation: none of them changes it, so it is made once. */
let untouched: { base: string; call: Call } | undefined;

async function inEmptyDatabase(gateway: TestGateway, begin: SetUp): Promise<Call> {
  untouched = undefined;
  await emptyDatabase(gateway.deps.db);
  return begin(gateway);
}

/** Whether a call leaves its world as it was. Calls of one operation that do are made one after another. */
export function isEarly({ name, code }: DocumentedCall, setUps: SetUps): boolean {
  return code !== undefined && EARLY_ERRORS.has(code) && !(name in setUps);
}

async function prepare(
  gateway: TestGateway,
  documented: DocumentedCall,
  setUps: SetUps,
): Promise<Call> {
  const { name, base, code } = documented;
  const own = setUps[name];
  if (own) return inEmptyDatabase(gateway, own);
  const spoil = code ? COMMON_ERRORS[code] : undefined;
  const begin = setUps[base];
  if (code && spoil && begin) {
    if (!isEarly(documented, setUps)) {
      return spoil(await inEmptyDatabase(gateway, begin), documented, gateway);
    }
    if (untouched?.base !== base) untouched = { base, call: await inEmptyDatabase(gateway, begin) };
    return spoil(untouched.call, documented, gateway);
  }
  throw new Error(
    `How is the world of this example made? Write a set-up '${begin ? name : base}' in ` +
      'tests/support/examples/',
  );
}
