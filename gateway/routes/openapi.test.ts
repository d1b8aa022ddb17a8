import { expect, test } from 'vitest';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();

test('the OpenAPI document has every route, who may call it and the one error shape', async () => {
  const { status, body } = await gateway.call('GET', '/openapi.json');
  expect([status, body.openapi]).toEqual([200, '3.1.0']);
  const described = gateway.app.routes.filter(
    ({ method, schema }) => method !== 'HEAD' && !schema?.hide,
  );
  for (const { method, url, config } of described) {
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    const operation = body.paths[path]?.[String(method).toLowerCase()];
    expect(operation, `${String(method)} ${path}`).toBeDefined();
    expect(operation.security !== undefined).toBe(config?.access !== 'public');
    expect(operation.responses['4XX'].content['application/json'].schema.properties).toHaveProperty(
      'code',
    );
  }
});
