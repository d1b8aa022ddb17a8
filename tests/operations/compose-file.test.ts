import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, ServiceConfig } from '@proveklar/services/config/config.ts';

interface Service {
  image?: string;
  environment?: Record<string, string | number>;
  secrets?: string[];
}

const readServices = (file: string) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return (parse(text, { merge: true }) as { services: Record<string, Service> }).services;
};
const services = readServices('docker-compose.yml');
const demo = readServices('docker-compose.override.yml');
const ours = Object.entries(services).filter(
  ([, { image, environment }]) => image?.startsWith('proveklar:') && environment,
);

test('the services with our image are gateway, worker, migrate and doctor', () => {
  expect(ours.map(([name]) => name)).toEqual(['migrate', 'gateway', 'worker', 'doctor']);
});

test.each(ours)('%s mounts every secret whose file it is given', (_name, service) => {
  const told = Object.values(service.environment!).flatMap(
    (value) => /\/run\/secrets\/([\w-]+)/u.exec(String(value))?.[1] ?? [],
  );
  expect(service.secrets ?? []).toEqual(expect.arrayContaining(told));
});

/** A value with the defaults of all variables in it. */
function withNothingSet(value: string): string {
  const innermost = /\$\{\w+(:?[-+])([^{}]*)\}/u;
  if (!innermost.test(value)) return value;
  const filled = value.replace(innermost, (_all, operator: string, text: string) =>
    operator.endsWith('-') ? text : '',
  );
  return withNothingSet(filled);
}

/** The environment of the doctor, which has the variables of all processes, with all defaults. */
function environmentOf(...files: Record<string, Service>[]): Record<string, string> {
  const given = files.flatMap((file) => Object.entries(file.doctor!.environment!));
  return {
    // Set by the image.
    HOST: '0.0.0.0',
    PORT: '3000',
    ...Object.fromEntries(given.map(([name, value]) => [name, withNothingSet(String(value))])),
  };
}

test('with nothing set, the demo has every variable that the processes need', () => {
  const environment = environmentOf(services, demo);
  expect(environment.NODE_ENV).toBe('development');
  expect(readConfig(ServiceConfig, environment).problems).toEqual([]);
});

test('with nothing set, production names every variable to set, and no stand-in', () => {
  const environment = environmentOf(services);
  expect(environment.NODE_ENV).toBe('production');
  const { problems } = readConfig(ServiceConfig, environment);
  expect(problems.map((problem) => problem.split(' ')[0] ?? '').toSorted()).toEqual([
    'ADMIN_EMAIL',
    'DATABASE_URL',
    'FIREBASE_API_KEY',
    'FIREBASE_AUTH_DOMAIN',
    'FIREBASE_PROJECT_ID',
    'MAIL_FROM',
    'PUBLIC_URL',
    'SMTP_URL',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'SUPPORT_EMAIL',
    'WITHDRAWAL_KEY',
  ]);
});

test('the demo in production names each stand-in and local value', () => {
  const environment = { ...environmentOf(services, demo), NODE_ENV: 'production' };
  const { problems } = readConfig(ServiceConfig, environment);
  expect(problems.map((problem) => problem.split(' ')[0] ?? '').toSorted()).toEqual([
    'ADMIN_EMAIL',
    'DATABASE_URL',
    'FIREBASE_API_KEY',
    'FIREBASE_AUTH_DOMAIN',
    'FIREBASE_AUTH_EMULATOR_HOST',
    'FIREBASE_PROJECT_ID',
    'MAIL_FROM',
    'PUBLIC_URL',
    'SMTP_URL',
    'STRIPE_API_URL',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'SUPPORT_EMAIL',
    'WITHDRAWAL_KEY',
  ]);
});
