import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { forwardedPlugin } from './forwarded.ts';

/** Calls from one peer after the other, and says how often the operator was warned. */
async function warnings(trustProxy: string[], ...peers: string[]): Promise<number> {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const app = Fastify({ logger: { level: 'warn', stream }, trustProxy });
  await app.register(forwardedPlugin);
  app.get('/', async () => 'ok');
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (const remoteAddress of peers) await app.inject({ url: '/', remoteAddress, headers });
  await app.inject({ url: '/', remoteAddress: '192.0.2.1' });
  await app.close();
  expect(lines.join('')).not.toContain('203.0.113.9');
  return lines.filter((line) => line.includes('TRUSTED_PROXIES')).length;
}

test('a proxy that was forgotten is told of once', async () => {
  expect(await warnings([], '10.0.0.1', '10.0.0.1')).toBe(1);
  expect(await warnings(['10.0.0.1'], '10.0.0.1', '10.0.0.2', '10.0.0.2')).toBe(1);
  expect(await warnings(['10.0.0.0/8'], '10.0.0.1', '::ffff:10.0.0.2')).toBe(0);
});
