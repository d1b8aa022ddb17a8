import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { parseConfig } from '@proveklar/services/config/config.ts';

const port = (standard: number) => Type.Integer({ minimum: 1, maximum: 65535, default: standard });

/** The variables that the stack itself reads; all others are passed on unchanged. */
export const OwnSettings = Type.Object({
  HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  PORT: port(3000),
  POSTGRES_PORT: port(54329),
  IDENTITY_PORT: port(9099),
  STRIPE_PORT: port(12111),
  SMTP_PORT: port(1025),
  MAILBOX_PORT: port(8025),
  OPERATORS_PORT: port(9464),
  /** The workers use the one above: on one host each process needs its own admin port. */
  GATEWAY_OPERATORS_PORT: port(9465),
  /** For `npm run dev`, where the frontend's development server has the public port, in front of the gateway. */
  GATEWAY_PORT: port(3001),
});
type OwnSettings = Static<typeof OwnSettings>;

/** The stand-ins listen on loopback only, whatever HOST is. */
export const LOOPBACK = '127.0.0.1';
export const PROJECT_DIR = join(import.meta.dirname, '..');
const LOCAL_DIR = join(PROJECT_DIR, '.local');

export interface StackSettings extends OwnSettings {
  /** The environment of every process of the stack. */
  environment: Record<string, string> & { PUBLIC_URL: string; ADMIN_EMAIL: string };
  /** The parts that the stack starts; parts that the environment names already exist. */
  starts: {
    postgres: boolean;
    identity: boolean;
    stripe: boolean;
    mailbox: boolean;
    frontend: boolean;
  };
  /** Whether to watch the sources, and serve the frontend from them. */
  dev: boolean;
  /** The address that the gateway listens on. */
  gateway: { host: string; port: number };
  /** The folder of data and logs. */
  dataDir: string;
}

/**
 * Completes an environment with the local defaults of docs/operations/configuration.md. Variables that are set
 * take precedence.
 *
 * @throws ConfigError that lists every bad variable
 */
export function stackSettings(
  env: Record<string, string | undefined> = process.env,
  { dataDir = LOCAL_DIR, dev = false } = {},
): StackSettings {
  // An empty variable counts as not set.
  const set = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  const own = parseConfig(OwnSettings, set);
  const standIn = {
    // By Firebase's convention, a project named demo-… exists in the emulator only.
    identity: !set.FIREBASE_PROJECT_ID || set.FIREBASE_PROJECT_ID.startsWith('demo-'),
    stripe: !set.STRIPE_SECRET_KEY || set.STRIPE_SECRET_KEY === STRIPE_DEFAULTS.STRIPE_SECRET_KEY,
  };
  const databaseUrl = `postgres://proveklar:proveklar@${LOOPBACK}:${own.POSTGRES_PORT}/proveklar`;
  const environment = {
    ...asText(own),
    NODE_ENV: 'development',
    LOG_LEVEL: 'info',
    // No load balancer needs time to notice that the gateway drains.
    DRAIN_SECONDS: '0',
    PUBLIC_URL: `http://${LOOPBACK}:${own.PORT}`,
    DATABASE_URL: databaseUrl,
    QUEUE_URL: set.DATABASE_URL ?? databaseUrl,
    FRONTEND_DIR: join(PROJECT_DIR, 'frontend/dist'),
    ADMIN_EMAIL: 'admin@example.no',
    SUPPORT_EMAIL: 'kontakt@example.no',
    SMTP_URL: `smtp://${LOOPBACK}:${own.SMTP_PORT}`,
    MAIL_FROM: 'Prøveklar <kontakt@example.no>',
    WITHDRAWAL_KEY: 'withdrawal-key-local',
    ...(standIn.identity ? identityDefaults(own.IDENTITY_PORT) : {}),
    ...(standIn.stripe ? stripeDefaults(own.STRIPE_PORT) : {}),
    ...set,
  };
  const starts = {
    postgres: !set.DATABASE_URL,
    identity: standIn.identity && !set.FIREBASE_AUTH_EMULATOR_HOST,
    stripe: standIn.stripe && !set.STRIPE_API_URL,
    mailbox: !set.SMTP_URL,
    frontend: dev || !set.FRONTEND_DIR,
  };
  const gateway = dev
    ? { host: LOOPBACK, port: own.GATEWAY_PORT }
    : { host: own.HOST, port: own.PORT };
  return { ...own, environment, starts, dev, gateway, dataDir };
}

const STRIPE_DEFAULTS = {
  STRIPE_SECRET_KEY: 'sk_test_local',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_local',
  STRIPE_WEBHOOK_SECRET: 'whsec_local',
};

function stripeDefaults(port: number): Record<string, string> {
  return { ...STRIPE_DEFAULTS, STRIPE_API_URL: `http://${LOOPBACK}:${port}` };
}

function identityDefaults(port: number): Record<string, string> {
  return {
    FIREBASE_PROJECT_ID: 'demo-proveklar',
    FIREBASE_API_KEY: 'local',
    FIREBASE_AUTH_DOMAIN: LOOPBACK,
    FIREBASE_AUTH_EMULATOR_HOST: `${LOOPBACK}:${port}`,
  };
}

function asText(own: OwnSettings): Record<string, string> {
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]));
}
