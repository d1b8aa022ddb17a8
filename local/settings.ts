import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { parseConfig } from '@proveklar/services/config/config.ts';

const port = (standard: number) => Type.Integer({ minimum: 1, maximum: 65535, default: standard });

/** What the stack itself reads; everything else goes to the processes as it is. */
export const OwnSettings = Type.Object({
  HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  PORT: port(3000),
  POSTGRES_PORT: port(54329),
  IDENTITY_PORT: port(9099),
  STRIPE_PORT: port(12111),
  SMTP_PORT: port(1025),
  MAILBOX_PORT: port(8025),
  OPERATORS_PORT: port(9464),
  /** The workers have the one above: on one machine each process needs a port of its own. */
  GATEWAY_OPERATORS_PORT: port(9465),
  /** Used when developing: there the frontend's server has the address, and the gateway is behind it. */
  GATEWAY_PORT: port(3001),
});
type OwnSettings = Static<typeof OwnSettings>;

/** The stand-ins listen here and nowhere else, whatever HOST is. */
export const LOOPBACK = '127.0.0.1';
export const PROJECT_DIR = join(import.meta.dirname, '..');
const LOCAL_DIR = join(PROJECT_DIR, '.local');

export interface StackSettings extends OwnSettings {
  /** The environment of every process of the stack. */
  environment: Record<string, string> & { PUBLIC_URL: string; ADMIN_EMAIL: string };
  /** Which parts are ours to start; what the environment names already exists. */
  starts: {
    postgres: boolean;
    identity: boolean;
    stripe: boolean;
    mailbox: boolean;
    frontend: boolean;
  };
  /** Whether sources are watched, and the frontend is served from them. */
  dev: boolean;
  /** Where the gateway listens. */
  gateway: { host: string; port: number };
  /** Where data and logs are kept. */
  dataDir: string;
}

/**
 * Completes an environment with the working local values of docs/operations/configuration.md; what is set wins.
 *
 * @throws ConfigError that lists every bad variable
 */
export function stackSettings(
  given: Record<string, string | undefined> = process.env,
  { dataDir = LOCAL_DIR, dev = false } = {},
): StackSettings {
  // An empty variable is one that was left blank.
  const set = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  const own = parseConfig(OwnSettings, set);
  const standIn = {
    // A project named demo-… exists in the emulator only: that is Firebase's own convention.
    identity: !set.FIREBASE_PROJECT_ID || set.FIREBASE_PROJECT_ID.startsWith('demo-'),
    stripe: !set.STRIPE_SECRET_KEY || set.STRIPE_SECRET_KEY === STRIPE_DEFAULTS.STRIPE_SECRET_KEY,
  };
  const databaseUrl = `postgres://proveklar:proveklar@${LOOPBACK}:${own.POSTGRES_PORT}/proveklar`;
  const environment = {
    ...asText(own),
    NODE_ENV: 'development',
    LOG_LEVEL: 'info',
    // There is no load balancer here that needs time to notice that the gateway ends.
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
