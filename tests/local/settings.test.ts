import { expect, it } from 'vitest';
import { stackSettings } from '@proveklar/local/settings.ts';

it('starts everything when nothing is set', () => {
  const { starts, environment } = stackSettings({});
  expect(starts).toEqual({
    postgres: true,
    identity: true,
    stripe: true,
    mailbox: true,
    frontend: true,
  });
  expect(environment).toMatchObject({
    DATABASE_URL: 'postgres://proveklar:proveklar@127.0.0.1:54329/proveklar',
    PUBLIC_URL: 'http://127.0.0.1:3000',
    STRIPE_API_URL: 'http://127.0.0.1:12111',
    SMTP_URL: 'smtp://127.0.0.1:1025',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099',
  });
});

it('changes the addresses that depend on a port with it', () => {
  const { environment } = stackSettings({ PORT: '4000', IDENTITY_PORT: '4001' });
  expect(environment).toMatchObject({
    PUBLIC_URL: 'http://127.0.0.1:4000',
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:4001',
  });
});

it('uses no Stripe stand-in with a real Stripe key', () => {
  const { starts, environment } = stackSettings({ STRIPE_SECRET_KEY: 'sk_test_51abc' });
  expect(starts.stripe).toBe(false);
  expect(environment).not.toHaveProperty('STRIPE_API_URL');
  expect(environment).not.toHaveProperty('STRIPE_WEBHOOK_SECRET');
});

it('starts no emulator for a real project', () => {
  const { starts, environment } = stackSettings({ FIREBASE_PROJECT_ID: 'proveklar-no' });
  expect(starts.identity).toBe(false);
  expect(environment).not.toHaveProperty('FIREBASE_AUTH_EMULATOR_HOST');
});

it('uses the database that is given, for the queue too', () => {
  const given = 'postgres://user@db.example.no/exam';
  const { starts, environment } = stackSettings({ DATABASE_URL: given });
  expect(starts.postgres).toBe(false);
  expect(environment).toMatchObject({ DATABASE_URL: given, QUEUE_URL: given });
});

it('names every invalid variable', () => {
  expect(() => stackSettings({ PORT: 'http', STRIPE_PORT: '70000' })).toThrow(
    /PORT[^]*STRIPE_PORT/,
  );
});

it('puts the gateway behind the frontend in development, at the same address', () => {
  const built = stackSettings({ HOST: '0.0.0.0' });
  expect(built).toMatchObject({ dev: false, gateway: { host: '0.0.0.0', port: 3000 } });
  const dev = stackSettings({ HOST: '0.0.0.0', FRONTEND_DIR: 'built' }, { dev: true });
  expect(dev).toMatchObject({ dev: true, gateway: { host: '127.0.0.1', port: 3001 } });
  expect(dev.starts.frontend).toBe(true);
  expect(dev.environment.PUBLIC_URL).toBe(built.environment.PUBLIC_URL);
});
