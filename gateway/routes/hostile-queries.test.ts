import type { RouteOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';

const gateway = useTestGateway();
let token: string;

beforeAll(async () => {
  const email = gateway.deps.config.ADMIN_EMAIL;
  token = (await gateway.identity.signInWithGoogle({ email })).idToken;
});

const propertiesOf = ({ schema }: RouteOptions): string[] =>
  Object.keys((schema?.querystring as { properties?: object } | undefined)?.properties ?? {});

describe('no query causes a 500', () => {
  // Characters that PostgreSQL cannot store, half a surrogate pair, and integers above its range.
  test.each([
    '%00',
    'a%00b',
    '%ED%A0%80',
    '1e300',
    '9007199254740993',
    '-1',
    '99999999999999999999',
  ])('a hostile query is no server error: %s', async (value) => {
    const answers: string[] = [];
    for (const route of gateway.app.routes) {
      if (String(route.method) !== 'GET') continue;
      for (const name of propertiesOf(route)) {
        const url = `${route.url.replaceAll(/:\w+/g, crypto.randomUUID())}?${name}=${value}`;
        const format = url.includes('/export') && name !== 'format' ? '&format=json' : '';
        const { statusCode } = await gateway.app.inject({
          method: 'GET',
          url: url + format,
          headers: { authorization: `Bearer ${token}` },
        });
        if (statusCode >= 500) answers.push(`${statusCode} ${url}`);
      }
    }
    expect(answers).toEqual([]);
  });
});

test('an undeclared query parameter does not fail the request', async () => {
  for (const query of ['x=%00', '%00=x', 'x=%ED%A0%80']) {
    expect(await gateway.call('GET', `/account?${query}`, { token }), query).toMatchObject({
      status: 200,
    });
  }
});

test("an id in a path may have the length of the identity provider's ids", async () => {
  const answer = await gateway.call('POST', `/admin/users/${'x'.repeat(128)}/enable`, { token });
  expect(answer).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
});

test('a CSV file is recognized whatever the case of its content type', async () => {
  const headers = { 'content-type': 'Text/CSV', prefer: 'respond-async' };
  const { body } = await gateway.call('POST', '/import/questions', { token, headers, body: 'x' });
  expect(body).toMatchObject({ import: { format: 'csv' } });
});
