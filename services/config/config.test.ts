import { describe, expect, test } from 'vitest';
import { GatewayConfig, parseConfig, WorkersConfig } from './config.ts';

const workers = {
  NODE_ENV: 'development',
  DATABASE_URL: 'postgres://localhost/x',
  QUEUE_URL: 'redis://localhost',
  FIREBASE_PROJECT_ID: 'demo',
  FIREBASE_API_KEY: 'key',
  STRIPE_SECRET_KEY: 'sk_test_x',
  HOST: '127.0.0.1',
  OPERATORS_PORT: '9464',
};
const stand_ins = {
  FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099',
  STRIPE_API_URL: 'http://127.0.0.1:12111',
};

describe('the configuration', () => {
  test('is read with the types it says', () => {
    expect(parseConfig(WorkersConfig, workers)).toMatchObject({
      OPERATORS_PORT: 9464,
      REGISTRATION_GRACE_SECONDS: 30,
    });
  });

  test('names every bad variable at once', () => {
    const bad = { ...workers, DATABASE_URL: 'mysql://x', OPERATORS_PORT: 'many', HOST: '' };
    expect(() => parseConfig(WorkersConfig, bad)).toThrow(
      /DATABASE_URL[^]*OPERATORS_PORT|OPERATORS_PORT[^]*DATABASE_URL/,
    );
    expect(() => parseConfig(WorkersConfig, bad)).toThrow('HOST is not set');
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
