import Fastify, { type RouteOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { ACCESS, accessPlugin } from '#plugins/access.ts';

const gateway = useTestGateway();

describe('every route', () => {
  test('every route keeps the rules of routes', () => {
    const { routes } = gateway.app;
    expect(routes.length).toBeGreaterThan(12);
    expect(routes.flatMap(routeFaults)).toEqual([]);
  });

  test('every route that is not public refuses missing and invalid tokens', async () => {
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

  test('no response of a route that needs a token may be cached', async () => {
    const email = gateway.deps.config.ADMIN_EMAIL;
    const { idToken } = await gateway.identity.signInWithGoogle({ email });
    // A live stream does not end; gateway/routes/events.test.ts checks its headers.
    const read = gateway.app.routes.filter(
      ({ config, method, url }) =>
        config?.access !== 'public' && method === 'GET' && !/:|\/events$/.test(url),
    );
    const answers = await Promise.all(
      read.map(async ({ url }) => {
        const headers = { authorization: `Bearer ${idToken}` };
        const { statusCode, headers: answered } = await gateway.app.inject({ url, headers });
        return { url, statusCode, cacheControl: answered['cache-control'] };
      }),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(15);
    expect(answers.filter(({ cacheControl }) => cacheControl !== 'no-store')).toEqual([]);
  });
});

describe('the rules of routes', () => {
  const closed = { type: 'object', properties: {}, additionalProperties: false };
  const response = { 200: closed, '4xx': closed, '5xx': closed };
  const good = {
    method: 'POST',
    url: '/api/v1/x',
    config: { access: 'learner' },
    schema: { tags: ['x'], summary: 'x', body: closed, response },
  } as unknown as RouteOptions;

  test('the rules of routes accept a good route', () => {
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
  ])('the rules of routes find %s', (_name, change) => {
    expect(routeFaults({ ...good, ...change } as RouteOptions)).not.toEqual([]);
  });

  test('a route without config.access cannot be registered', async () => {
    const app = Fastify();
    await app.register(accessPlugin);
    expect(() => app.get('/x', async () => 'x')).toThrow('has no access rule');
    expect(ACCESS).toContain('owner');
  });
});

type Schema = Record<string, unknown>;

/** The rules of routes, as the faults of a route. */
function routeFaults({ method, url, config, schema }: RouteOptions): string[] {
  const name = `${String(method)} ${url}`;
  const faults: string[] = [];
  if (!config?.access || !ACCESS.includes(config.access)) faults.push('says no access');
  // Files and the OpenAPI document are no API calls.
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

/** The paths in a schema where an object accepts unknown fields. */
function openObjects(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Schema;
  const nested = Object.entries(node).flatMap(([key, value]) =>
    openObjects(value, `${path}.${key}`),
  );
  const isOpen =
    node.type === 'object' &&
    node.additionalProperties !== false &&
    // A map of arbitrary keys to one closed shape.
    node.patternProperties === undefined;
  return isOpen ? [path, ...nested] : nested;
}
