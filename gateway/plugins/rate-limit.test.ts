import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutEnd } from '@proveklar/tests/support/examples/errors.ts';
import { addDays, createQuestions, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { buildApp } from '../app.ts';
import { clientAddressPlugin } from './rate-limit.ts';

const gateway = useTestGateway();
let app: FastifyInstance;
let lastAddress = 0;

beforeAll(async () => {
  await setPrice(gateway.deps.db, 149_00);
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 12 });
  const { deps } = gateway;
  const limits = { ...deps.limits, publicCalls: 3, reports: 2, translations: 2 };
  app = await buildApp({ ...deps, db: withoutEnd(deps.db), limits });
});
afterAll(() => app.close());

function anotherAddress(): string {
  lastAddress += 1;
  return `198.51.100.${lastAddress}`;
}

async function learner() {
  const user = await gateway.identity.createPasswordUser();
  await addDays(gateway.deps.db, user, 30);
  return user.idToken;
}

interface Order {
  from?: string;
  token?: string;
  method?: 'GET' | 'HEAD' | 'POST';
  body?: object;
}

async function call(path: string, { from = '192.0.2.1', token, method = 'GET', body }: Order = {}) {
  return app.inject({
    method,
    url: path,
    remoteAddress: from,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(body && { payload: body }),
  });
}
const statuses = async (calls: Promise<{ statusCode: number }>[]) =>
  (await Promise.all(calls)).map(({ statusCode }) => statusCode);

describe('public calls', () => {
  test('public calls of one address share a limit, and get 429 above it', async () => {
    const from = anotherAddress();
    const paths = ['/api/v1/topics', '/api/v1/config', '/api/v1/exams', '/api/v1/sample'];
    const sent = [];
    for (const path of paths) sent.push(await call(path, { from }));
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
    const refused = sent[3]!;
    const { retry_after_s: wait } = refused.json().details;
    expect(refused.json()).toMatchObject({ code: 'rate_limited' });
    expect(refused.headers['retry-after']).toBe(String(wait));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(await statuses([call('/api/v1/openapi.json', { from })])).toEqual([429]);
    expect(await statuses([call('/api/v1/topics', { from, method: 'HEAD' })])).toEqual([429]);
    expect(await statuses([call('/api/v1/topics', { from: anotherAddress() })])).toEqual([200]);
  });

  test('public calls of one IPv6 network share a limit', async () => {
    const from = ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:1:ff::1'];
    await statuses(from.map((one) => call('/api/v1/topics', { from: one })));
    expect(
      await statuses([
        call('/api/v1/topics', { from: '2001:db8:1:4::1' }),
        call('/api/v1/topics', { from: '2001:db8:1:100::1' }),
      ]),
    ).toEqual([429, 200]);
  });

  test('health checks, the webhook and files are not rate limited', async () => {
    const from = anotherAddress();
    for (let n = 0; n < 4; n += 1) {
      const [live, webhook, file] = await statuses([
        call('/health/live', { from }),
        call('/api/v1/stripe/webhook', { from, method: 'POST', body: {} }),
        call('/api/v1/docs/page.js', { from }),
      ]);
      expect([live, webhook, file]).toEqual([200, 400, 200]);
    }
    expect(await statuses([call('/api/v1/topics', { from })])).toEqual([200]);
  });

  test('signed-in users can practise from an address whose public calls are limited', async () => {
    const [from, token] = [anotherAddress(), await learner()];
    await statuses(Array.from({ length: 4 }, () => call('/api/v1/topics', { from })));
    expect(await statuses([call('/api/v1/topics', { from })])).toEqual([429]);
    const body = { topic: 'Historie' };
    for (let n = 0; n < 4; n += 1) {
      expect(
        await statuses([
          call('/api/v1/account', { from, token }),
          call('/api/v1/quiz/start', { from, token, method: 'POST', body }),
        ]),
      ).toEqual([200, 200]);
    }
  });
});

describe('of one account', () => {
  test.each([
    ['reports', 'feedback', { type: 'thumbs_down' }],
    ['translations', 'translation', undefined],
  ] as const)('%s are limited, wherever it calls from', async (_name, what, body) => {
    const [token, other] = [await learner(), await learner()];
    const start = async (of: string) => {
      const order = { token: of, method: 'POST', body: { topic: 'Historie' } } as const;
      const { id, questions } = (await call('/api/v1/quiz/start', order)).json();
      const { uuid } = questions[0];
      return body
        ? `/api/v1/questions/${uuid}/${what}`
        : `/api/v1/quiz/${id}/questions/${uuid}/${what}?language=en`;
    };
    const ask = async (of: string, path: string) =>
      call(path, {
        token: of,
        from: anotherAddress(),
        ...(body && { method: 'POST' as const, body }),
      });
    const path = await start(token);
    // 409: no question is answered yet, so no translation is shown. The call counts all the same.
    const usual = body ? 200 : 409;
    expect(await statuses([ask(token, path), ask(token, path)])).toEqual([usual, usual]);
    const refused = await ask(token, path);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    expect(await statuses([ask(other, await start(other))])).toEqual([usual]);
  });
});

/** Calls from one peer after the other; returns the number of warnings logged. */
async function warnings(trustProxy: string[], ...peers: string[]): Promise<number> {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const app = Fastify({ logger: { level: 'warn', stream }, trustProxy });
  await app.register(clientAddressPlugin);
  app.get('/', async () => 'ok');
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (const remoteAddress of peers) await app.inject({ url: '/', remoteAddress, headers });
  await app.inject({ url: '/', remoteAddress: '192.0.2.1' });
  await app.close();
  expect(lines.join('')).not.toContain('203.0.113.9');
  return lines.filter((line) => line.includes('TRUSTED_PROXIES')).length;
}

test('warns once of a proxy that is missing in TRUSTED_PROXIES', async () => {
  expect(await warnings([], '10.0.0.1', '10.0.0.1')).toBe(1);
  expect(await warnings(['10.0.0.1'], '10.0.0.1', '10.0.0.2', '10.0.0.2')).toBe(1);
  expect(await warnings(['10.0.0.0/8'], '10.0.0.1', '::ffff:10.0.0.2')).toBe(0);
});
