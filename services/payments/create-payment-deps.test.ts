import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WIDE_LIMITS } from '@proveklar/tests/support/limits.ts';
import { createPool } from '#database/pool.ts';
import { createPaymentDeps } from './create-payment-deps.ts';

test('payments name the site to the identity provider, which may restrict its key to the site', async () => {
  const sites: unknown[] = [];
  const server = createServer((request, response) => {
    sites.push(request.headers.referer);
    response.writeHead(501).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const config = {
    FIREBASE_PROJECT_ID: 'demo-x',
    FIREBASE_API_KEY: 'key',
    FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${port}`,
    PAYMENT_METHODS: 'card',
    PUBLIC_URL: 'https://proveklar.example.no',
    STRIPE_SECRET_KEY: 'sk_test_local',
    WITHDRAWAL_KEY: 'withdrawal-key-test',
    ...WIDE_LIMITS,
  };
  const db = createPool('postgres://unused', { applicationName: 'test', max: 1 });
  onTestFinished(() => db.end());
  await createPaymentDeps(config, db).identity.readPasswordPolicy();
  expect(sites).toEqual(['https://proveklar.example.no']);
});
