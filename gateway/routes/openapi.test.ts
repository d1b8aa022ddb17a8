import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();

interface Answered {
  $ref?: string;
  content: { 'application/json': { schema: { $ref?: string } } };
}

test('the OpenAPI document has every route, its access rule and the one error shape', async () => {
  const { status, body } = await gateway.call('GET', '/openapi.json');
  expect([status, body.openapi]).toEqual([200, '3.1.0']);
  const described = gateway.app.routes.filter(
    ({ method, schema }) => method !== 'HEAD' && !schema?.hide,
  );
  for (const { method, url, config } of described) {
    const path = url.replaceAll(/:(\w+)/g, '{$1}').replace(/\/$/, '');
    const operation = body.paths[path]?.[String(method).toLowerCase()];
    expect(operation, `${String(method)} ${path}`).toBeDefined();
    expect(operation.security).toEqual(config?.access === 'public' ? [] : [{ idToken: [] }]);
    for (const [code, response] of Object.entries<Answered>(operation.responses)) {
      // Errors by status, not a generic "4XX".
      if (config?.docs) expect(code, path).toMatch(/^\d{3}$/);
      if (!(Number(code) >= 400)) continue;
      // One of `components.responses`, which the next test reads.
      if (response.$ref) {
        expect(response, path).toEqual({ $ref: `#/components/responses/${code}` });
        continue;
      }
      expect(response.content['application/json'].schema.$ref).toBe('#/components/schemas/Error');
    }
  }
});

test('responses to malformed requests are declared once, for all operations', async () => {
  const { components, info } = (await gateway.call('GET', '/openapi.json')).body;
  const declared = Object.entries<{ content: Record<string, { schema: unknown }> }>(
    components.responses,
  );
  expect(declared.map(([status]) => status)).toEqual(['400', '408', '431']);
  for (const [status, { content }] of declared) {
    expect(content['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Error' });
    expect(info.description).toContain(status);
  }
});

test('the document is valid OpenAPI', async () => {
  const { body } = await gateway.call('GET', '/openapi.json');
  expect(await new Validator().validate(body)).toEqual({ valid: true });
});

test('the docs page loads nothing from other sites, and runs no inline script', async () => {
  const page = await gateway.app.inject({ url: '/api/v1/docs' });
  expect(page.headers['content-security-policy']).toMatch(/script-src 'self'(?!.*unsafe-eval)/);
  const files = [...page.body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, url]) => url!);
  expect(files.length).toBeGreaterThan(4);
  for (const url of files) {
    expect(url).toMatch(/^\/api\/v1\//);
    expect((await gateway.app.inject({ url })).statusCode, url).toBe(200);
  }
  expect(page.body).not.toMatch(/<script(?! src=)/);
});
