import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { boundedServer } from '@proveklar/services/http/bounded-server.ts';
import { createTestDeps, useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { buildApp } from '../app.ts';
import { createDeps } from '../deps.ts';
import { answerMalformedRequest } from './errors.ts';

const gateway = useTestGateway();
let url: string;
beforeAll(async () => {
  url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
});

const SHAPE = { error: expect.stringMatching(/\S/), code: expect.stringMatching(/^[a-z_]+$/) };

async function send(method: string, path: string, headers: object = {}, body?: string | Buffer) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers },
    body: body ?? null,
  });
  return { status: response.status, body: (await response.json()) as object };
}

/** Sends raw bytes that no HTTP client would send, and reads the response. */
async function sendRaw(bytes: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const INTENT = '/api/v1/payment/create-registration-intent';

describe('an error has one shape', () => {
  test.each<[string, number, string, string, object?, (string | Buffer)?]>([
    ['an unknown path', 404, 'GET', '/api/v1/nothing'],
    ['a path that is no text', 400, 'GET', '/api/v1/quiz/%E0%A4%A'],
    ['a path parameter without end', 400, 'GET', `/api/v1/quiz/${'x'.repeat(200)}`],
    ['a body that is no JSON', 400, 'POST', INTENT, JSON_TYPE, '{"email":'],
    ['a body of another type', 415, 'POST', INTENT, { 'content-type': 'text/plain' }, 'x'],
    ['a body too large', 413, 'POST', INTENT, JSON_TYPE, `"${'x'.repeat(70_000)}"`],
    ['no body', 400, 'POST', INTENT],
    ['a poisoned body', 400, 'POST', INTENT, JSON_TYPE, '{"__proto__":{"email":"a@example.no"}}'],
    ['a NUL', 400, 'POST', INTENT, JSON_TYPE, '{"email":"a@example.no","username":"\\u0000"}'],
    [
      'half a pair',
      400,
      'POST',
      INTENT,
      JSON_TYPE,
      '{"email":"a@example.no","username":"\\ud800"}',
    ],
    ['no UTF-8', 400, 'POST', INTENT, JSON_TYPE, Buffer.from([0x7b, 0xff, 0x7d])],
  ])('errors have one shape: %s', async (_name, status, method, path, headers, body) => {
    const answer = await send(method, path, headers, body);
    expect(answer).toMatchObject({ status, body: SHAPE });
    expect(
      Object.keys(answer.body).every((key) => ['error', 'code', 'details'].includes(key)),
    ).toBe(true);
    expect(JSON.stringify(answer.body)).not.toMatch(/xxxx|FST_ERR_BAD_URL.*%|node_modules/);
  });

  test('errors have one shape: bytes that are not HTTP', async () => {
    expect(await sendRaw('GARBAGE\r\n\r\n')).toMatchObject({ status: 400, body: SHAPE });
    const large = `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await sendRaw(large)).toMatchObject({ status: 431, body: SHAPE });
  });

  test('an unknown Expect header is ignored', async () => {
    const headers = 'host: x\r\nconnection: close\r\nexpect: garbage';
    const request = `GET /api/v1/nothing HTTP/1.1\r\n${headers}\r\n\r\n`;
    expect(await sendRaw(request)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('an unknown field is reported as unknown', async () => {
    const body = JSON.stringify({ email: 'a@example.no', username: 'x', amount: 1 });
    const answer = await send('POST', INTENT, JSON_TYPE, body);
    expect(answer.body).toMatchObject({ error: 'amount is not a known field' });
  });
});

test('endless headers are rejected and the connection is closed', async () => {
  const server = boundedServer(() => {}, { headersMs: 200 });
  onTestFinished(() => void server.close());
  server.on('clientError', answerMalformedRequest);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // A client that does not close its side.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write('GET / HTTP/1.1\r\nx-endless: ');
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 408 /);
  expect(JSON.parse(body)).toMatchObject(SHAPE);
  await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0);
  socket.destroy();
});

describe('while the database is down', () => {
  let close: () => Promise<unknown>;
  let call: (path: string) => Promise<{ statusCode: number; headers: object; json: () => unknown }>;
  beforeAll(async () => {
    const unreachable = { ...gateway.deps.config, DATABASE_URL: 'postgres://x:x@127.0.0.1:1/x' };
    const app = await buildApp(createDeps(unreachable, () => {}));
    call = (path) => app.inject({ url: path });
    close = () => app.close();
  });
  afterAll(() => close());

  test.each(['/api/v1/config', '/health/ready'])(
    '%s answers 503 with Retry-After while the database is down',
    async (path) => {
      const answer = await call(path);
      expect(answer.statusCode).toBe(503);
      expect(answer.headers).toMatchObject({ 'retry-after': '1' });
      expect(answer.json()).toMatchObject({ code: 'unavailable' });
    },
  );
});

test.each([
  ['nb-NO', 503, 'unavailable', '<h1>Vi får ikke vist siden nå</h1>'],
  ['en', 503, 'unavailable', '<h1>We cannot show the page now</h1>'],
  ['nb', 429, 'rate_limited', '<h1>For mange sider på kort tid</h1>'],
] as const)('a page that fails is a page in %s: %i', async (language, status, code, heading) => {
  const app = await buildApp(createTestDeps(gateway.deps.config));
  const config = { access: 'public', isPage: true } as const;
  app.get('/a-page', { config, schema: { hide: true } }, async () => {
    throw new AppError(code, { details: { retry_after_s: 7 } });
  });
  const answer = await app.inject({ url: '/a-page', headers: { 'accept-language': language } });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'retry-after': status === 429 ? '7' : '1',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/u),
  });
  expect(answer.body).toContain(heading);
  await app.close();
});

test('a draining gateway still answers, closes each connection and is not ready', async () => {
  const app = await buildApp(createTestDeps(gateway.deps.config));
  const ask = (url: string) => app.inject({ url });
  expect((await ask('/health/ready')).statusCode).toBe(200);
  app.drain();
  expect((await ask('/health/ready')).statusCode).toBe(503);
  const { statusCode, headers } = await ask('/api/v1/config');
  expect({ statusCode, connection: headers.connection }).toEqual({
    statusCode: 200,
    connection: 'close',
  });
  await app.close();
});

test('closing finishes requests in flight, and does not wait for idle connections', async () => {
  const { db } = gateway.deps;
  const app = await buildApp(createTestDeps(gateway.deps.config));
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const [answered, closed] = await withTransaction(db, async (tx) => {
    await tx.query('lock table settings');
    const answer = fetch(`${address}/api/v1/config`).then((response) => response.status);
    const waiting = () =>
      db
        .query(`select from pg_stat_activity where wait_event_type = 'Lock'`)
        .then(({ rowCount }) => rowCount);
    await expect.poll(waiting).toBe(1);
    return [answer, app.close()];
  });
  // The client would keep its connection for 72 seconds.
  await closed;
  expect(await answered).toBe(200);
});
