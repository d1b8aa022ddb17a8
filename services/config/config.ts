import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Type, type Static, type TObject } from 'typebox';
import Value from 'typebox/value';

const Port = Type.Integer({ minimum: 0, maximum: 65535 });
const Text = Type.String({ minLength: 1 });
/** Without a path or a slash at its end: addresses are made by adding a path to it. */
const Origin = Type.String({ pattern: '^https?://[^/]+$' });
const Address = Type.String({ pattern: '^[^@\\s<>",]+@[^@\\s<>",]+$' });
const Environment = Type.Union([
  Type.Literal('production'),
  Type.Literal('development'),
  Type.Literal('test'),
]);

const LogLevel = Type.Union([
  Type.Literal('trace'),
  Type.Literal('debug'),
  Type.Literal('info'),
  Type.Literal('warn'),
  Type.Literal('error'),
  Type.Literal('fatal'),
  Type.Literal('silent'),
]);

const Common = {
  NODE_ENV: Environment,
  LOG_LEVEL: Type.Optional(LogLevel),
  DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://' }),
};

const Queue = { QUEUE_URL: Type.String({ pattern: '^(rediss?|postgres(ql)?)://' }) };

const Identity = {
  FIREBASE_PROJECT_ID: Text,
  FIREBASE_API_KEY: Text,
  FIREBASE_AUTH_EMULATOR_HOST: Type.Optional(Text),
};

const Payments = {
  STRIPE_SECRET_KEY: Type.String({ pattern: '^(sk|rk)_(test|live)_' }),
  STRIPE_API_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
};

const AtLeastOne = (standard: number) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000, default: standard });

/** Against trying out stolen cards, and against too much work; all are counted over an hour. */
const Limits = {
  /** Payments and free registrations begun from one client address: a class sits behind one. */
  INTENTS_PER_ADDRESS: AtLeastOne(60),
  INTENTS_PER_EMAIL: AtLeastOne(5),
  /** From an address that had `DECLINES_BEFORE_LIMIT` cards refused. */
  INTENTS_PER_ADDRESS_AFTER_DECLINES: AtLeastOne(3),
  /** So many refused cards also cancel the payment that they were tried on. */
  DECLINES_BEFORE_LIMIT: AtLeastOne(5),
  /** Downloads of one's own data. */
  EXPORTS_PER_ACCOUNT: AtLeastOne(5),
  /** Each choice of the screen's language is one. */
  PROFILE_CHANGES_PER_ACCOUNT: AtLeastOne(60),
};
const LimitsConfig = Type.Object(Limits);
export type LimitsConfig = Static<typeof LimitsConfig>;

const Networks = Type.Refine(
  Type.String(),
  (text) => splitList(text).every(isNetwork),
  () => 'must be addresses or networks, comma-separated, like 172.18.0.1 or 10.0.0.0/8',
);

/** What a process that runs for long needs beside its work. */
const Operation = {
  /** The port for operators only: health, figures, and for workers the queues. */
  OPERATORS_HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  OPERATORS_PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 9464 }),
  /** Of the user `operator`. Without it only this machine and `OPERATORS_NETWORKS` may look. */
  OPERATORS_PASSWORD: Type.Optional(Type.String({ minLength: 12 })),
  /** Who may look without a password. */
  OPERATORS_NETWORKS: Type.Optional(Networks),
  /** The most connections that a process opens for its own statements. */
  DATABASE_POOL: Type.Integer({ minimum: 4, maximum: 200, default: 20 }),
  /** Where traces are sent: OTLP over HTTP. None are made without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** What is running, as operators see it. */
  VERSION: Type.String({ minLength: 1, default: 'local' }),
};

const Mail = {
  /** A server on this machine is allowed in production too: many run a local relay. */
  SMTP_URL: Type.String({ pattern: '^smtps?://' }),
  /** `Name <address>` or an address. */
  MAIL_FROM: Type.String({ pattern: '@' }),
};

/** What we tell learners: where the product is, and whom to ask. */
const Contact = {
  PUBLIC_URL: Origin,
  SUPPORT_EMAIL: Address,
};

/** Of an operator's command that needs nothing but the database. */
export const DatabaseConfig = Type.Object({ DATABASE_URL: Common.DATABASE_URL });

export const MigrateConfig = Type.Object({ ...Common, ...Queue });
export type MigrateConfig = Static<typeof MigrateConfig>;

export const GatewayConfig = Type.Object({
  ...Common,
  ...Operation,
  ...Identity,
  ...Payments,
  ...Limits,
  ...Contact,
  HOST: Text,
  PORT: Port,
  /** Whose X-Forwarded-For is believed; nobody's by default. */
  TRUSTED_PROXIES: Type.Optional(Networks),
  /** Of clients and proxies, live streams included. Memory of the process: some 100 kB for each. */
  MAX_CONNECTIONS: Type.Integer({ minimum: 10, maximum: 60_000, default: 2_000 }),
  /** How long requests are still taken after SIGTERM, until whoever balances has noticed. */
  DRAIN_SECONDS: Type.Number({ minimum: 0, maximum: 30, default: 2 }),
  FRONTEND_DIR: Type.Optional(Text),
  /** `off` takes the service worker out of every browser that has it. */
  SERVICE_WORKER: Type.Union([Type.Literal('on'), Type.Literal('off')], { default: 'on' }),
  /** One address or several, comma-separated. */
  ADMIN_EMAIL: Type.String({ pattern: '@' }),
  FIREBASE_AUTH_DOMAIN: Text,
  IDENTITY_JWKS_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  STRIPE_PUBLISHABLE_KEY: Type.String({ pattern: '^pk_(test|live)_' }),
  /** Two, comma-separated, while a secret is being replaced. */
  STRIPE_WEBHOOK_SECRET: Type.String({ pattern: '^whsec_' }),
});
export type GatewayConfig = Static<typeof GatewayConfig>;

export const WorkersConfig = Type.Object({
  ...Common,
  ...Queue,
  ...Operation,
  ...Identity,
  ...Payments,
  ...Limits,
  ...Contact,
  ...Mail,
  /** How long a registration that was paid is left to its learner's own confirm call. */
  REGISTRATION_GRACE_SECONDS: Type.Integer({ minimum: 0, maximum: 3600, default: 30 }),
});
export type WorkersConfig = Static<typeof WorkersConfig>;

/** What the gateway and the workers need, for whoever looks at the whole service. */
export const ServiceConfig = Type.Object({
  ...GatewayConfig.properties,
  ...WorkersConfig.properties,
});
export type ServiceConfig = Static<typeof ServiceConfig>;

/** Variables that only a stand-in needs: with one of these in production, anyone could be anyone. */
const STAND_INS = ['FIREBASE_AUTH_EMULATOR_HOST', 'STRIPE_API_URL', 'IDENTITY_JWKS_URL'] as const;

/** The local defaults, which everybody knows. */
const KNOWN_TO_ALL = /^(demo-.*|(sk|pk)_test_local|whsec_local)$/;

/** The environment is not what a process needs to start. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads a process's environment once, at its entry. `NAME_FILE` is the path of a file that holds
 * what `NAME` is, as secrets are mounted.
 *
 * @throws ConfigError whose message lists every bad variable, not only the first
 */
export function parseConfig<S extends TObject>(
  schema: S,
  environment: Record<string, string | undefined> = process.env,
): Static<S> {
  const { values, problems } = readConfig(schema, environment);
  if (problems.length > 0) {
    throw new ConfigError(`Configuration:\n  ${problems.join('\n  ')}`);
  }
  return values as Static<S>;
}

/**
 * What an environment says, and everything that is wrong with it. Only the variables that are well
 * have a value.
 */
export function readConfig<S extends TObject>(
  schema: S,
  environment: Record<string, string | undefined>,
): { values: Partial<Static<S>>; problems: string[] } {
  const unreadable: string[] = [];
  const given = Object.fromEntries(
    Object.keys(schema.properties).flatMap((name) => {
      const { value, problem } = readVariable(name, environment);
      if (problem) unreadable.push(problem);
      return value ? [[name, value]] : [];
    }),
  );
  const values = Value.Convert(schema, Value.Default(schema, given)) as Record<string, unknown>;
  const errors = [...Value.Errors(schema, values)];
  const problems = [...unreadable, ...errors.flatMap((error) => describe(error))];
  problems.push(...openToAll(values));
  if (values.NODE_ENV === 'production') problems.push(...standInsIn(values));
  for (const { instancePath } of errors) delete values[instancePath.slice(1)];
  return { values: values as Partial<Static<S>>, problems };
}

/** An empty variable is one that somebody left blank in a file. */
function readVariable(
  name: string,
  environment: Record<string, string | undefined>,
): { value?: string; problem?: string } {
  const value = environment[name] || undefined;
  const file = environment[`${name}_FILE`] || undefined;
  if (!file) return { value };
  if (value) return { value, problem: `${name} and ${name}_FILE are both set: unset one of them` };
  try {
    // Editors and `echo` end a file with a line break, which is not part of a secret.
    return { value: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return { problem: `${name}_FILE cannot be read (${code})` };
  }
}

/** Whoever reaches the operators' port sees the queues, so there it must be said who that may be. */
function openToAll(values: Record<string, unknown>): string[] {
  const {
    OPERATORS_HOST: host,
    OPERATORS_PASSWORD: password,
    OPERATORS_NETWORKS: networks,
  } = values;
  if (typeof host !== 'string' || LOOPBACK.test(host) || password || networks) return [];
  return [
    `OPERATORS_HOST is ${host}, which others reach: set OPERATORS_PASSWORD or OPERATORS_NETWORKS`,
  ];
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

function describe(error: ReturnType<typeof Value.Errors>[number]): string[] {
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => `${name} is not set`);
  }
  return [`${error.instancePath.slice(1)} ${error.message}`];
}

function standInsIn(values: Record<string, unknown>): string[] {
  const standIns = STAND_INS.filter((name) => values[name]).map(
    (name) => `${name} is set: a stand-in must not run in production; unset it`,
  );
  const defaults = Object.entries(values)
    .filter(([, value]) => typeof value === 'string' && KNOWN_TO_ALL.test(value))
    .map(([name]) => `${name} is the local default: set your own in production`);
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = values;
  const mixed = publishable !== undefined && modeOf(secret) !== modeOf(publishable);
  const mode = 'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes (test, live)';
  return [...standIns, ...defaults, ...(mixed ? [mode] : [])];
}

const modeOf = (key: unknown) => String(key).split('_')[1];

/** The environment of this process, for who must tell of all that is wrong with it. */
export const environmentOfProcess = (): Record<string, string | undefined> => process.env;

/** Reads a value that may be several, comma-separated. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** A network of everybody would be no proxy: whoever writes the header would be believed. */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return longest > 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= longest));
}
