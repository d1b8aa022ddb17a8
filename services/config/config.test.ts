import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayConfig, parseConfig, splitList, WorkersConfig } from './config.ts';

const workers = {
  NODE_ENV: 'development',
  DATABASE_URL: 'postgres://localhost/x',
  QUEUE_URL: 'redis://localhost',
  FIREBASE_PROJECT_ID: 'proveklar',
  FIREBASE_API_KEY: 'key',
  STRIPE_SECRET_KEY: 'sk_test_x',
  PUBLIC_URL: 'https://example.no',
  SUPPORT_EMAIL: 'kontakt@example.no',
  SMTP_URL: 'smtps://user:password@smtp.example.no',
  MAIL_FROM: 'Prøveklar <kontakt@example.no>',
};
const stand_ins = {
  FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099',
  STRIPE_API_URL: 'http://127.0.0.1:12111',
};

const gateway = {
  ...workers,
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '3000',
  ADMIN_EMAIL: 'admin@example.no',
  FIREBASE_PROJECT_ID: 'proveklar',
  FIREBASE_AUTH_DOMAIN: 'example.no',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
};

describe('the configuration', () => {
  test.each([
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_x' }, 'different modes'],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_local' }, 'STRIPE_WEBHOOK_SECRET is the local default'],
    [{ FIREBASE_PROJECT_ID: 'demo-proveklar' }, 'FIREBASE_PROJECT_ID is the local default'],
    [{ IDENTITY_JWKS_URL: 'http://example.no' }, 'IDENTITY_JWKS_URL is set'],
    [{ ADMIN_EMAIL: ',' }, 'ADMIN_EMAIL'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must'],
  ])('refuses %j in production', (change, complaint) => {
    expect(parseConfig(GatewayConfig, gateway)).toMatchObject({ PORT: 3000 });
    expect(() => parseConfig(GatewayConfig, { ...gateway, ...change })).toThrow(complaint);
  });

  test.each(['10.0.0.0/8', '172.18.0.1', ' ::1 , 2001:db8::/32,', 'fe80::/10'])(
    'takes %j for trusted proxies',
    (TRUSTED_PROXIES) => {
      expect(parseConfig(GatewayConfig, { ...gateway, TRUSTED_PROXIES })).toMatchObject({
        TRUSTED_PROXIES,
      });
    },
  );

  test.each(['proxy', '10.0.0.0/33', '10.0.0/8', '0.0.0.0/0', '::/0', '10.0.0.1/', '10.0.0.1 ::1'])(
    'refuses %j for trusted proxies',
    (TRUSTED_PROXIES) => {
      expect(() => parseConfig(GatewayConfig, { ...gateway, TRUSTED_PROXIES })).toThrow(
        'TRUSTED_PROXIES must be addresses or networks, comma-separated',
      );
    },
  );

  test('has limits, the same for both processes', () => {
    const limits = {
      INTENTS_PER_ADDRESS: 60,
      INTENTS_PER_EMAIL: 5,
      INTENTS_PER_ADDRESS_AFTER_DECLINES: 3,
      DECLINES_BEFORE_LIMIT: 5,
      EXPORTS_PER_ACCOUNT: 5,
      PROFILE_CHANGES_PER_ACCOUNT: 60,
    };
    expect(parseConfig(GatewayConfig, gateway)).toMatchObject(limits);
    expect(parseConfig(WorkersConfig, workers)).toMatchObject(limits);
    const none = { ...workers, INTENTS_PER_ADDRESS: '0' };
    expect(() => parseConfig(WorkersConfig, none)).toThrow('INTENTS_PER_ADDRESS must be >= 1');
  });

  test('is read with the types it says', () => {
    expect(parseConfig(WorkersConfig, workers)).toMatchObject({
      OPERATORS_PORT: 9464,
      REGISTRATION_GRACE_SECONDS: 30,
    });
  });

  test('knows no default for the mail server, and takes a relay on this machine', () => {
    const production = { ...workers, NODE_ENV: 'production' };
    const bare = { ...production, SMTP_URL: '' };
    expect(() => parseConfig(WorkersConfig, bare)).toThrow('SMTP_URL is not set');
    const relay = { ...production, SMTP_URL: 'smtp://127.0.0.1' };
    expect(parseConfig(WorkersConfig, relay)).toMatchObject({ SMTP_URL: relay.SMTP_URL });
  });

  test("opens the operators' port to others only when it is said to whom", () => {
    const open = { ...workers, OPERATORS_HOST: '0.0.0.0' };
    expect(() => parseConfig(WorkersConfig, open)).toThrow(
      'set OPERATORS_PASSWORD or OPERATORS_NETWORKS',
    );
    for (const who of [
      { OPERATORS_NETWORKS: '172.16.0.0/12' },
      { OPERATORS_PASSWORD: 'a-long-password' },
      { OPERATORS_HOST: '::1' },
    ]) {
      expect(parseConfig(WorkersConfig, { ...open, ...who })).toMatchObject(who);
    }
  });

  test('reads a variable from a file, where secrets are mounted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'proveklar-config-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'stripe');
    await writeFile(file, 'sk_test_y\n');
    const { STRIPE_SECRET_KEY: _, ...rest } = workers;
    const byFile = { ...rest, STRIPE_SECRET_KEY_FILE: file };
    expect(parseConfig(WorkersConfig, byFile)).toMatchObject({ STRIPE_SECRET_KEY: 'sk_test_y' });
    const both = { ...byFile, STRIPE_SECRET_KEY: 'sk_test_x' };
    expect(() => parseConfig(WorkersConfig, both)).toThrow('are both set');
    const nowhere = { ...rest, STRIPE_SECRET_KEY_FILE: join(folder, 'nothing') };
    expect(() => parseConfig(WorkersConfig, nowhere)).toThrow(
      'STRIPE_SECRET_KEY_FILE cannot be read (ENOENT)',
    );
  });

  test('reads lists however they are written', () => {
    expect(splitList(' a, b ,,')).toEqual(['a', 'b']);
  });

  test('names every bad variable at once', () => {
    const bad = { ...workers, DATABASE_URL: 'mysql://x', OPERATORS_PORT: 'many', MAIL_FROM: '' };
    expect(() => parseConfig(WorkersConfig, bad)).toThrow(
      /DATABASE_URL[^]*OPERATORS_PORT|OPERATORS_PORT[^]*DATABASE_URL/,
    );
    expect(() => parseConfig(WorkersConfig, bad)).toThrow('MAIL_FROM is not set');
    expect(() => parseConfig(GatewayConfig, {})).toThrow('STRIPE_WEBHOOK_SECRET is not set');
  });

  test.each(Object.keys(stand_ins))('refuses %s in production', (name) => {
    expect(parseConfig(WorkersConfig, { ...workers, ...stand_ins })).toMatchObject(stand_ins);
    const production = { ...workers, NODE_ENV: 'production' };
    expect(parseConfig(WorkersConfig, production)).toMatchObject({ NODE_ENV: 'production' });
    const leaked = { ...production, [name]: stand_ins[name as keyof typeof stand_ins] };
    expect(() => parseConfig(WorkersConfig, leaked)).toThrow(
      `${name} is set: a stand-in must not run in production`,
    );
  });
});
