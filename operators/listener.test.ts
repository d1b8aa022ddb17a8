import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { board } from './board.ts';
import { buildOperatorsApp } from './listener.ts';
import type { OperatorsConfig } from './access.ts';

const PASSWORD = 'a-long-password';
const LOCAL = { OPERATORS_HOST: '0.0.0.0', OPERATORS_PORT: 0 };

const build = (config: Partial<OperatorsConfig> = {}, problems: string[] = []) =>
  buildOperatorsApp({
    kind: 'workers',
    config: { ...LOCAL, ...config },
    log: Fastify().log,
    checks: { database: async () => problems, queues: () => Promise.reject(new Error('away')) },
    registry: new Registry(),
    pages: [
      board(
        new Map(),
        async () => ({ byQueue: {}, groups: [] }),
        async () => {},
      ),
      async (app) => {
        app.put('/pause', async () => ({ paused: true }));
        app.get('/broken', () => Promise.reject(new Error('postgres://me:secret@host')));
      },
    ],
  });

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

async function statusOf(
  app: FastifyInstance,
  remoteAddress: string,
  { headers, ...request }: InjectOptions = {},
) {
  const url = '/metrics';
  const host = '127.0.0.1:9464';
  const sent = { url, remoteAddress, ...request, headers: { host, ...headers } };
  return (await app.inject(sent as InjectOptions)).statusCode;
}

const ELSEWHERE = '10.1.2.3';
const NETWORK = { OPERATORS_NETWORKS: '10.0.0.0/8, fd00::/8' };

test('loopback and OPERATORS_NETWORKS need no password', async () => {
  const [alone, network] = await Promise.all([build(), build(NETWORK)]);
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.1.2.3']) {
    expect(await statusOf(alone, address), address).toBe(200);
  }
  expect(await statusOf(alone, ELSEWHERE)).toBe(403);
  expect(await statusOf(network, ELSEWHERE)).toBe(200);
  expect(await statusOf(network, `::ffff:${ELSEWHERE}`)).toBe(200);
  expect(await statusOf(network, 'fd00::7', { headers: { host: '[fd00::1]:9464' } })).toBe(200);
  expect(await statusOf(network, '192.168.0.1')).toBe(403);
});

test('all other addresses need the password', async () => {
  const app = await build({ OPERATORS_PASSWORD: PASSWORD });
  const from = (headers: Record<string, string>) => statusOf(app, ELSEWHERE, { headers });
  expect(await from({})).toBe(401);
  expect(await from(basic('operator', PASSWORD))).toBe(200);
  expect(await from(basic('operator', `${PASSWORD}x`))).toBe(401);
  expect(await from(basic('operator', ''))).toBe(401);
  expect(await from(basic('admin', PASSWORD))).toBe(401);
  expect(await from({ authorization: `Bearer ${PASSWORD}` })).toBe(401);
  const unauthorized = await app.inject({ url: '/', remoteAddress: ELSEWHERE });
  expect(unauthorized.headers['www-authenticate']).toMatch(/^Basic realm="Proveklar workers"/);
  // A missing page needs the password as well.
  expect(unauthorized.statusCode).toBe(401);
  // The board has its own error handler.
  const asBoard = await app.inject({ url: '/queues/', remoteAddress: ELSEWHERE });
  expect(asBoard.statusCode).toBe(401);
  expect(asBoard.headers['www-authenticate']).toMatch(/^Basic/);
  // An empty password counts as not set.
  const open = await build({ OPERATORS_PASSWORD: '' });
  expect(await statusOf(open, ELSEWHERE, { headers: basic('operator', '') })).toBe(403);
});

test('an address is locked out for a minute after five wrong passwords, and no other address is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const app = await build({ OPERATORS_PASSWORD: PASSWORD });
  const give = (password: string, from = ELSEWHERE) =>
    statusOf(app, from, { headers: basic('operator', password) });
  for (let n = 0; n < 4; n++) expect(await give(`wrong ${n}`)).toBe(401);
  // The right one resets the count.
  expect(await give(PASSWORD)).toBe(200);
  for (let n = 0; n < 5; n++) expect(await give(`wrong ${n}`)).toBe(401);
  expect(await give(PASSWORD)).toBe(429);
  const refused = await app.inject({
    url: '/metrics',
    remoteAddress: ELSEWHERE,
    headers: basic('operator', PASSWORD),
  });
  expect(refused.headers['retry-after']).toBe('60');
  expect(refused.json()).toEqual({ message: 'Too many wrong passwords: try again in 60 s.' });
  expect(await give(PASSWORD, '10.1.2.4')).toBe(200);
  expect(await statusOf(app, '127.0.0.1')).toBe(200);
  expect(await statusOf(app, ELSEWHERE, { url: '/health/live' })).toBe(200);

  vi.setSystemTime(Date.now() + 59_000);
  expect(await give(PASSWORD)).toBe(429);
  vi.setSystemTime(Date.now() + 1_001);
  expect(await give(PASSWORD)).toBe(200);
});

test('addresses of one IPv6 /56 share the limit of wrong passwords', async () => {
  const app = await build({ OPERATORS_PASSWORD: PASSWORD });
  const headers = basic('operator', 'wrong');
  for (let n = 1; n <= 5; n++) {
    expect(await statusOf(app, `2001:db8::${n}`, { headers })).toBe(401);
  }
  expect(await statusOf(app, '2001:db8:0:ff::6', { headers })).toBe(429);
  expect(await statusOf(app, '2001:db8:0:100::6', { headers })).toBe(401);
});

test('neither a forwarded request nor a public host name counts as this host', async () => {
  const app = await build(NETWORK);
  const withHeaders = (headers: Record<string, string>, from = '127.0.0.1') =>
    statusOf(app, from, { headers });
  expect(await withHeaders({ host: 'localhost:9464' })).toBe(200);
  expect(await withHeaders({ host: 'operators.localhost' })).toBe(200);
  expect(await withHeaders({ host: 'rebound.example.no:9464' })).toBe(403);
  expect(await withHeaders({ host: 'localhost.example.no' })).toBe(403);
  expect(await withHeaders({ 'x-forwarded-for': '127.0.0.1' })).toBe(403);
  expect(await withHeaders({ via: '1.1 proxy' })).toBe(403);
  expect(await withHeaders({ 'x-forwarded-proto': 'https' })).toBe(403);
  expect(await withHeaders({ host: 'workers:9464' }, ELSEWHERE)).toBe(200);
  expect(await withHeaders({ host: 'rebound.example.no' }, ELSEWHERE)).toBe(403);
  expect(await withHeaders({ 'x-forwarded-for': '127.0.0.1' }, '192.168.0.1')).toBe(403);
});

test('refuses cross-site requests that change something, with and without a password', async () => {
  const app = await build({ OPERATORS_PASSWORD: PASSWORD });
  const put = (headers: Record<string, string>, from = '127.0.0.1') =>
    statusOf(app, from, { method: 'PUT', url: '/pause', headers });
  expect(await put({})).toBe(200);
  expect(await put({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await put({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await put({ 'sec-fetch-site': 'same-site' })).toBe(403);
  expect(await put({ origin: 'http://127.0.0.1:9464' })).toBe(200);
  expect(await put({ origin: 'http://127.0.0.1:3000' })).toBe(403);
  expect(await put({ origin: 'null' })).toBe(403);
  const pause = { method: 'PUT', url: '/queues/api/queues/pause' } as const;
  const headers = { 'sec-fetch-site': 'cross-site' };
  expect(await statusOf(app, '127.0.0.1', { ...pause, headers })).toBe(403);
  const credentials = basic('operator', PASSWORD);
  expect(await put({ ...credentials, 'sec-fetch-site': 'cross-site' }, ELSEWHERE)).toBe(403);
  expect(await put({ ...credentials, 'sec-fetch-site': 'same-origin' }, ELSEWHERE)).toBe(200);
});

test('health checks need no password, and show problems to operators only', async () => {
  const app = await build({}, ['the database does not answer']);
  const ready = (remoteAddress: string) => app.inject({ url: '/health/ready', remoteAddress });
  const withoutPassword = await ready(ELSEWHERE);
  expect(withoutPassword.statusCode).toBe(503);
  expect(withoutPassword.json()).toEqual({ status: 'unavailable', database: false, queues: false });
  expect((await ready('127.0.0.1')).json()).toMatchObject({
    problems: { database: ['the database does not answer'], queues: ['could not be read'] },
  });
  expect(await statusOf(app, ELSEWHERE, { url: '/health/live' })).toBe(200);
});

test('an internal error hides its cause, and no answer may be cached or framed', async () => {
  const app = await build();
  const broken = await app.inject({ url: '/broken', remoteAddress: '127.0.0.1' });
  expect(broken.statusCode).toBe(500);
  expect(broken.body).not.toContain('secret');
  expect(broken.headers['cache-control']).toBe('no-store');
  expect(broken.headers['content-security-policy']).toContain("frame-ancestors 'none'");
});
