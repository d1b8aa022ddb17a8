import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { startStripeStandIn } from '@proveklar/stripe-stand-in/server.ts';

const run = (script: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(PROJECT_DIR, script), ...args], {
    env: { ...process.env, NODE_ENV: 'production' },
  });

describe('in production', () => {
  test('the identity emulator refuses to start and says why', async () => {
    await expect(run('local/identity/main.ts', '{}')).rejects.toThrow(
      'The identity emulator does not start with NODE_ENV=production',
    );
  });

  test('the Stripe stand-in refuses to start and says why', async () => {
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    try {
      const standIn = startStripeStandIn({ port: 0, dataDir: '/nowhere', webhookSecret: 'x' });
      await expect(standIn).rejects.toThrow('does not start with NODE_ENV=production');
    } finally {
      process.env.NODE_ENV = before;
    }
  });

  test('the seed refuses to make demo accounts', async () => {
    await expect(run('local/seed/seed.ts')).rejects.toThrow('NODE_ENV');
  });
});
