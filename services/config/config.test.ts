import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  GatewayConfig,
  MigrateConfig,
  parseConfig,
  readConfig,
  ServiceConfig,
  splitList,
  WorkersConfig,
} from './config.ts';

const workers = {
  NODE_ENV: 'development',
  DATABASE_URL: 'postgres://localhost/x',
  QUEUE_URL: 'redis://localhost',
  FIREBASE_PROJECT_ID: 'proveklar',
  FIREBASE_API_KEY: 'key',
  STRIPE_SECRET_KEY: 'sk_test_x',
  WITHDRAWAL_KEY: '8d1f5b7c0a2e4963b8d1f5b7c0a2e496',
  PUBLIC_URL: 'https://example.no',
  SUPPORT_EMAIL: 'kontakt@proveklar.no',
  SMTP_URL: 'smtps://user:password@smtp.example.no',
  MAIL_FROM: 'Prøveklar <kontakt@proveklar.no>',
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
  ADMIN_EMAIL: 'leder@proveklar.no',
  FIREBASE_PROJECT_ID: 'proveklar',
  FIREBASE_AUTH_DOMAIN: 'example.no',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
};

/** The values of `docker compose up` when nothing is set. */
const localDefaults = {
  PUBLIC_URL: 'http://127.0.0.1:3000',
  DATABASE_URL: 'postgres://proveklar:proveklar@postgres:5432/proveklar',
  QUEUE_URL: 'postgres://proveklar:proveklar@postgres:5432/proveklar',
  ADMIN_EMAIL: 'admin@example.no',
  SUPPORT_EMAIL: 'kontakt@example.no',
  MAIL_FROM: 'Prøveklar <kontakt@example.no>',
  SMTP_URL: 'smtp://mailbox:1025',
  FIREBASE_PROJECT_ID: 'demo-proveklar',
  FIREBASE_API_KEY: 'local',
  FIREBASE_AUTH_DOMAIN: '127.0.0.1',
  STRIPE_SECRET_KEY: 'sk_test_local',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_local',
  STRIPE_WEBHOOK_SECRET: 'whsec_local',
  WITHDRAWAL_KEY: 'withdrawal-key-local',
};

const REAL = gateway.STRIPE_WEBHOOK_SECRET;

describe('the configuration', () => {
  test('lists every local default in production, and what to set instead', () => {
    const config = { ...gateway, ...localDefaults };
    const { problems } = readConfig(ServiceConfig, config);
    expect(problems).toHaveLength(Object.keys(localDefaults).length);
    for (const name of Object.keys(localDefaults)) {
      expect(problems).toContainEqual(expect.stringMatching(`^${name} .*: set `));
    }
    expect(new Set(problems.map((problem) => problem.replace(/^\w+/, ''))).size).toBeGreaterThan(
      10,
    );
    expect(readConfig(ServiceConfig, gateway).problems).toEqual([]);
    expect(readConfig(ServiceConfig, { ...config, NODE_ENV: 'development' }).problems).toEqual([]);
    expect(() => parseConfig(MigrateConfig, config)).toThrow(/DATABASE_URL[^]*QUEUE_URL/);
  });

  test('rejects a key that charges cards outside production', () => {
    const live = { ...workers, STRIPE_SECRET_KEY: 'rk_live_x' };
    expect(() => parseConfig(WorkersConfig, live)).toThrow('set NODE_ENV=production');
  });

  test.each([
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_x' }, 'different modes'],
    [{ STRIPE_WEBHOOK_SECRET: `whsec_local,${REAL}` }, 'STRIPE_WEBHOOK_SECRET holds one'],
    [{ STRIPE_WEBHOOK_SECRET: `${REAL}, whsec_local` }, 'STRIPE_WEBHOOK_SECRET holds one'],
    [
      { STRIPE_WEBHOOK_SECRET: `${REAL},whsec_` },
      'STRIPE_WEBHOOK_SECRET must be what Stripe shows',
    ],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_short' }, 'STRIPE_WEBHOOK_SECRET holds one'],
    [{ WITHDRAWAL_KEY: '' }, 'WITHDRAWAL_KEY is not set'],
    [{ WITHDRAWAL_KEY: '6b1f0c2a9d4e8f7350ab' }, 'WITHDRAWAL_KEY is an example or too short'],
    [{ WITHDRAWAL_KEY: '0'.repeat(64) }, 'WITHDRAWAL_KEY is an example'],
    [{ WITHDRAWAL_KEY: 'change-me-change-me-change-me-change-me' }, 'WITHDRAWAL_KEY is an example'],
    [{ STRIPE_SECRET_KEY: 'sk_live_' }, 'STRIPE_SECRET_KEY must'],
    [{ ADMIN_EMAIL: 'leder@proveklar.no,admin@example.no' }, 'ADMIN_EMAIL holds an address for'],
    [{ PUBLIC_URL: 'http://proveklar.no' }, 'PUBLIC_URL is not the address that people type'],
    [{ PUBLIC_URL: 'https://localhost:3000' }, 'PUBLIC_URL is not the address that people type'],
    [
      { DATABASE_URL: 'postgres://proveklar@db/x?password=proveklar' },
      'DATABASE_URL has a well-known password',
    ],
    [{ DATABASE_URL: 'postgres://proveklar:%70roveklar@db/x' }, 'DATABASE_URL has a well-known'],
    [{ DATABASE_URL: 'postgres://proveklar:Postgres@db/x' }, 'DATABASE_URL has a well-known'],
    [{ PUBLIC_URL: 'https://0.0.0.0' }, 'PUBLIC_URL is not the address that people type'],
    [{ PUBLIC_URL: 'https://a.localhost' }, 'PUBLIC_URL is not the address that people type'],
    [{ ADMIN_EMAIL: 'ADMIN@EXAMPLE.NO' }, 'ADMIN_EMAIL holds an address for examples'],
    [{ SECURITY_CONTACT: 'sikkerhet@example.no' }, 'SECURITY_CONTACT is an address for examples'],
    [{ SECURITY_CONTACT: 'http://proveklar.no' }, 'SECURITY_CONTACT must'],
    [{ IDENTITY_JWKS_URL: 'http://example.no' }, 'IDENTITY_JWKS_URL is set'],
    [{ ADMIN_EMAIL: ',' }, 'ADMIN_EMAIL'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must'],
  ])('rejects %j in production', (change, complaint) => {
    expect(parseConfig(GatewayConfig, gateway)).toMatchObject({ PORT: 3000 });
    expect(() => parseConfig(GatewayConfig, { ...gateway, ...change })).toThrow(complaint);
  });

  test.each([
    '10.0.0.0/8',
    '172.18.0.1',
    ' ::1 , 2001:db8::/32,',
    'fe80::/10',
    'fc00::/7',
    '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16',
    '104.16.0.0/13,104.24.0.0/14,172.64.0.0/13,2400:cb00::/32,2606:4700::/32',
    '::ffff:104.16.0.0/109',
  ])('accepts %j as trusted proxies', (TRUSTED_PROXIES) => {
    expect(parseConfig(GatewayConfig, { ...gateway, TRUSTED_PROXIES })).toMatchObject({
      TRUSTED_PROXIES,
    });
  });

  test.each([
    '0.0.0.0/0',
    '0.0.0.0/1,128.0.0.0/1',
    '8.0.0.0/7',
    '10.0.0.0/7',
    '8.0.0.0/8,9.0.0.0/8',
    '::/0',
    '2000::/3',
    '2001::/15',
    '2001::/16,2400::/16',
    '::ffff:0:0/96',
    '::/16',
    '::ffff:8.0.0.0/103',
  ])('rejects %j, which covers too much of the Internet', (networks) => {
    for (const name of ['TRUSTED_PROXIES', 'OPERATORS_NETWORKS']) {
      expect(() => parseConfig(GatewayConfig, { ...gateway, [name]: networks })).toThrow(
        `${name} names too much of the Internet`,
      );
    }
  });

  test.each(['proxy', '10.0.0.0/33', '10.0.0/8', '10.0.0.1/', '10.0.0.1 ::1'])(
    'rejects %j as trusted proxies',
    (TRUSTED_PROXIES) => {
      expect(() => parseConfig(GatewayConfig, { ...gateway, TRUSTED_PROXIES })).toThrow(
        'TRUSTED_PROXIES must be addresses or networks, comma-separated',
      );
    },
  );

  test('has the same rate limits for the gateway and the workers', () => {
    const limits = {
      INTENTS_PER_ADDRESS: 60,
      INTENTS_PER_EMAIL: 5,
      INTENTS_PER_ADDRESS_AFTER_DECLINES: 3,
      DECLINES_BEFORE_LIMIT: 5,
      EXPORTS_PER_ACCOUNT: 5,
      PROFILE_CHANGES_PER_ACCOUNT: 60,
      QUIZZES_PER_ACCOUNT: 60,
      OPEN_DRILLS_PER_ACCOUNT: 5,
      REPORTS_PER_ACCOUNT: 120,
      TRANSLATIONS_PER_ACCOUNT: 600,
      PUBLIC_CALLS_PER_ADDRESS: 600,
    };
    expect(parseConfig(GatewayConfig, gateway)).toMatchObject(limits);
    expect(parseConfig(WorkersConfig, workers)).toMatchObject(limits);
    const none = { ...workers, INTENTS_PER_ADDRESS: '0' };
    expect(() => parseConfig(WorkersConfig, none)).toThrow('INTENTS_PER_ADDRESS must be >= 1');
  });

  test('converts numbers and applies defaults', () => {
    expect(parseConfig(WorkersConfig, workers)).toMatchObject({
      OPERATORS_PORT: 9464,
      REGISTRATION_GRACE_SECONDS: 30,
    });
  });

  test('requires a mail server, and accepts a relay on this host', () => {
    const production = { ...workers, NODE_ENV: 'production' };
    const bare = { ...production, SMTP_URL: '' };
    expect(() => parseConfig(WorkersConfig, bare)).toThrow('SMTP_URL is not set');
    const relay = { ...production, SMTP_URL: 'smtp://127.0.0.1' };
    expect(parseConfig(WorkersConfig, relay)).toMatchObject({ SMTP_URL: relay.SMTP_URL });
  });

  test('opens the admin port to others only with a password or a list of networks', () => {
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

  test('reads a variable from a file, for mounted secrets', async () => {
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

  test('reads comma-separated lists with spaces and empty items', () => {
    expect(splitList(' a, b ,,')).toEqual(['a', 'b']);
  });

  test('lists every bad variable at once', () => {
    const bad = { ...workers, DATABASE_URL: 'mysql://x', OPERATORS_PORT: 'many', MAIL_FROM: '' };
    expect(() => parseConfig(WorkersConfig, bad)).toThrow(
      /DATABASE_URL[^]*OPERATORS_PORT|OPERATORS_PORT[^]*DATABASE_URL/,
    );
    expect(() => parseConfig(WorkersConfig, bad)).toThrow('MAIL_FROM is not set');
    expect(() => parseConfig(GatewayConfig, {})).toThrow('STRIPE_WEBHOOK_SECRET is not set');
  });

  test.each(Object.keys(stand_ins))('rejects %s in production', (name) => {
    expect(parseConfig(WorkersConfig, { ...workers, ...stand_ins })).toMatchObject(stand_ins);
    const production = { ...workers, NODE_ENV: 'production' };
    expect(parseConfig(WorkersConfig, production)).toMatchObject({ NODE_ENV: 'production' });
    const leaked = { ...production, [name]: stand_ins[name as keyof typeof stand_ins] };
    expect(() => parseConfig(WorkersConfig, leaked)).toThrow(
      `${name} is set: a stand-in must not run in production`,
    );
  });
});
