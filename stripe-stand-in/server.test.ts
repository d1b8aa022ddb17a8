import { expect, onTestFinished, test, vi } from 'vitest';

import { startStripeStandIn } from './server.ts';
import { startForTest, stripeAt, temporaryDir } from './test-support.ts';

test('refuses to start in production', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  onTestFinished(() => void vi.unstubAllEnvs());
  const options = { port: 0, dataDir: temporaryDir(), webhookSecret: 'whsec_x' };
  await expect(startStripeStandIn(options)).rejects.toThrow('NODE_ENV=production');
});

test('listens on loopback only', async () => {
  await expect(startForTest({ host: '0.0.0.0' })).rejects.toThrow('loopback');
});

test('a second stand-in on the same port and data fails and damages nothing', async () => {
  const dataDir = temporaryDir();
  const first = await startForTest({ dataDir });
  const port = Number(new URL(first.url).port);
  const stripe = stripeAt(first.url);
  const before = await stripe.paymentIntents.create({ amount: 300, currency: 'nok' });
  await expect(startForTest({ dataDir, port })).rejects.toThrow('EADDRINUSE');
  const after = await stripe.paymentIntents.create({ amount: 300, currency: 'nok' });
  await first.close();

  const next = stripeAt((await startForTest({ dataDir })).url);
  const { data } = await next.paymentIntents.list();
  expect(data.map(({ id }) => id)).toEqual([after.id, before.id]);
});

test('CORS allows pages of this host only', async () => {
  const { url } = await startForTest();
  const allowed = async (origin: string) => {
    const answer = await fetch(`${url}/v1/payment_intents/pi_x`, { headers: { origin } });
    return answer.headers.get('access-control-allow-origin');
  };
  expect(await allowed('http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000');
  expect(await allowed('http://localhost:5173')).toBe('http://localhost:5173');
  expect(await allowed('https://example.com')).toBeNull();
  expect(await allowed('http://127.0.0.1.example.com')).toBeNull();
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
});
