import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { buildApp } from '@proveklar/gateway/app.ts';
import type { TestGateway } from '../gateway.ts';
import { swap, swapBack } from './compare.ts';
import type { DocumentedCall } from './documented-calls.ts';
import { COMMON_ERRORS, lent } from './errors.ts';
import type { Call, SetUps } from './set-up.ts';

/** The answer to a documented call, with the documented values in the place of the real ones. */
export interface RealAnswer {
  status: number;
  body: unknown;
  headers: Record<string, unknown>;
}

/**
 * Makes the world of a documented call and calls it.
 *
 * @throws Error that says what to write, when nobody has said how to make that world
 */
export async function makeCall(
  gateway: TestGateway,
  documented: DocumentedCall,
  setUps: SetUps,
): Promise<RealAnswer> {
  const call = await prepare(gateway, documented, setUps);
  const real = call.real ?? {};
  const request = swap(documented.request, real) as DocumentedCall['request'];
  const query = { ...request.query, ...call.query } as Record<string, string>;
  const path = { ...request.path, ...call.path } as Record<string, string>;
  const body = call.body === undefined ? request.body : swap(call.body, real);
  const payload = call.bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  const order = {
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
  const app = await appFor(gateway, documented, call);
  try {
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
    return { status: response.statusCode, body: swapBack(answer, real), headers };
  } finally {
    if (app !== gateway.app && !kept.has(app)) await app.close();
  }
}

/** Of the errors that many operations have: what is broken is the same for all of them. */
const broken = new Map<string, Promise<FastifyInstance>>();
const kept = new Set<FastifyInstance>();
afterAll(() => Promise.all([...kept].map((app) => app.close())));

/** The gateway, or one in which something is replaced. Building one takes longer than a call. */
async function appFor(
  { app, deps }: TestGateway,
  { code }: DocumentedCall,
  call: Call,
): Promise<FastifyInstance> {
  if (!call.deps) return app;
  const build = () => buildApp({ ...deps, db: lent(deps.db), ...call.deps });
  if (!code || !(code in COMMON_ERRORS)) return build();
  const known = broken.get(code);
  if (known) return known;
  const building = build();
  broken.set(code, building);
  kept.add(await building);
  return building;
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

async function prepare(
  gateway: TestGateway,
  documented: DocumentedCall,
  setUps: SetUps,
): Promise<Call> {
  const { name, base, code } = documented;
  const own = setUps[name];
  if (own) return own(gateway);
  const spoil = code ? COMMON_ERRORS[code] : undefined;
  const begin = setUps[base];
  if (spoil && begin) return spoil(await begin(gateway), documented, gateway);
  throw new Error(
    `How is the world of this example made? Write a set-up '${begin ? name : base}' in ` +
      'tests/support/examples/',
  );
}
