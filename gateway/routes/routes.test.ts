import Fastify, { type RouteOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { ACCESS, accessPlugin } from '#plugins/access.ts';

const gateway = useTestGateway();

describe('every route', () => {
  test('keeps the rules', () => {
    const { routes } = gateway.app;
    expect(routes.length).toBeGreaterThan(12);
    expect(routes.flatMap(routeFaults)).toEqual([]);
  });

  test('that is not public refuses nobody and rubbish', async () => {
    const secured = gateway.app.routes.filter(
      ({ config, method }) => config?.access !== 'public' && method !== 'HEAD',
    );
    expect(secured.length).toBeGreaterThan(6);
    for (const { method, url } of secured) {
      const path = url.replace(/:\w+/, crypto.randomUUID());
      for (const headers of [
        {},
        { authorization: 'Bearer x.y.z' },
        { authorization: 'Basic eA==' },
      ]) {
        const response = await gateway.app.inject({ method: method as 'GET', url: path, headers });
        expect(response.statusCode, `${String(method)} ${url}`).toBe(401);
        expect(response.json()).toMatchObject({
          code: expect.stringMatching(/token_invalid|unauthenticated/),
        });
        expect(response.headers['cache-control'], `${String(method)} ${url}`).toBe('no-store');
      }
    }
  });

  test('that needs a token lets no cache keep what it answers with one', async () => {
    const email = gateway.deps.config.ADMIN_EMAIL;
    const { idToken } = await gateway.identity.signInWithGoogle({ email });
    // A live stream has no end to wait for; gateway/routes/events.test.ts looks at its headers.
    const read = gateway.app.routes.filter(
      ({ config, method, url }) =>
        config?.access !== 'public' && method === 'GET' && !/:|\/events$/.test(url),
    );
    const answers = await Promise.all(
      read.map(async ({ url }) => {
        const headers = { authorization: `Bearer ${idToken}` };
        const { statusCode, headers: answered } = await gateway.app.inject({ url, headers });
        return { url, statusCode, kept: answered['cache-control'] };
      }),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(15);
    expect(answers.filter(({ kept }) => kept !== 'no-store')).toEqual([]);
  });
});

describe('the rules', () => {
  const closed = { type: 'object', properties: {}, additionalProperties: false };
  const response = { 200: closed, '4xx': closed, '5xx': closed };
  const good = {
    method: 'POST',
    url: '/api/v1/x',
    config: { access: 'learner' },
    schema: { tags: ['x'], summary: 'x', body: closed, response },
  } as unknown as RouteOptions;

  test('let a good route pass', () => {
    expect(routeFaults(good)).toEqual([]);
  });

  test.each([
    ['no access', { config: {} }],
    ['an unknown access', { config: { access: 'everybody' } }],
    ['no body schema', { schema: { ...good.schema, body: undefined } }],
    [
      'no body schema for a deletion',
      { method: 'DELETE', schema: { ...good.schema, body: undefined } },
    ],
    ['an open body', { schema: { ...good.schema, body: { type: 'object', properties: {} } } }],
    [
      'an open object inside',
      {
        schema: {
          ...good.schema,
          body: { ...closed, properties: { a: { type: 'array', items: { type: 'object' } } } },
        },
      },
    ],
    [
      'an open answer',
      { schema: { ...good.schema, response: { ...response, 200: { type: 'object' } } } },
    ],
    ['no error shape', { schema: { ...good.schema, response: { 200: closed } } }],
    ['a path parameter without a schema', { url: '/api/v1/x/:id' }],
  ])('find %s', (_name, change) => {
    expect(routeFaults({ ...good, ...change } as RouteOptions)).not.toEqual([]);
  });

  test('keep a route without access from being registered', async () => {
    const app = Fastify();
    await app.register(accessPlugin);
    expect(() => app.get('/x', async () => 'x')).toThrow('does not say who may call it');
    expect(ACCESS).toContain('admin');
  });
});

type Schema = Record<string, unknown>;

/** The rules that every route keeps, as faults of one that does not. */
function routeFaults({ method, url, config, schema }: RouteOptions): string[] {
  const name = `${String(method)} ${url}`;
  const faults: string[] = [];
  if (!config?.access || !ACCESS.includes(config.access)) faults.push('says no access');
  // Files and the OpenAPI document itself are no API calls.
  if (schema?.hide) return faults.map((fault) => `${name} ${fault}`);

  const { body, params, querystring, response } = (schema ?? {}) as Record<string, Schema>;
  if (['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method)) && !body && !config?.rawBody) {
    faults.push('has no schema for its body');
  }
  if (url.includes(':') && !params) faults.push('has no schema for its path parameters');
  if (!response?.['4xx'] || !response['5xx']) faults.push('does not declare the error shape');
  for (const [part, part_schema] of Object.entries({ body, params, querystring, response })) {
    for (const path of openObjects(part_schema, part))
      faults.push(`takes unknown fields in ${path}`);
  }
  return faults.map((fault) => `${name} ${fault}`);
}

/** Where a schema has an object that lets unknown fields pass. */
function openObjects(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Schema;
  const nested = Object.entries(node).flatMap(([key, value]) =>
    openObjects(value, `${path}.${key}`),
  );
  const isOpen =
    node.type === 'object' &&
    node.additionalProperties !== false &&
    // A map from anything to one closed shape.
    node.patternProperties === undefined;
  return isOpen ? [path, ...nested] : nested;
}
