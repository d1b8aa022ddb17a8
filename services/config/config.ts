// Over 400 lines, because every environment variable of every process and its rules for production belong
// together.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Type, type Static, type TObject } from 'typebox';
import Value from 'typebox/value';
import product from '../../package.json' with { type: 'json' };
import { coverTooMuch, isNetwork } from './networks.ts';

const Port = Type.Integer({ minimum: 0, maximum: 65535 });
const Text = Type.String({ minLength: 1 });
/** Without a path or a slash at the end: URLs are built by appending a path. */
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
  STRIPE_SECRET_KEY: Type.String({ pattern: '^(sk|rk)_(test|live)_\\S+$' }),
  STRIPE_API_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Ways to pay. Stripe offers Vipps by invitation, and refuses payments that name it without one. */
  PAYMENT_METHODS: Type.String({ pattern: '^card(, *vipps)?$', default: 'card' }),
  /** The HMAC key of the hashes that remember which addresses and cards have withdrawn from a purchase. */
  WITHDRAWAL_KEY: Text,
};

const AtLeastOne = (standard: number) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000, default: standard });

/**
 * The rate limits, against card testing and overload. Each counts over an hour unless its comment says
 * otherwise.
 */
const Limits = {
  /** Payments and free registrations started from one client address; a whole class may share one. */
  INTENTS_PER_ADDRESS: AtLeastOne(60),
  INTENTS_PER_EMAIL: AtLeastOne(5),
  /** The limit for an address that had `DECLINES_BEFORE_LIMIT` cards declined. */
  INTENTS_PER_ADDRESS_AFTER_DECLINES: AtLeastOne(3),
  /** This many declined cards also cancel the payment that they were tried on. */
  DECLINES_BEFORE_LIMIT: AtLeastOne(5),
  /** Downloads of the learner's own data. */
  EXPORTS_PER_ACCOUNT: AtLeastOne(5),
  /** Each change of the display language counts. */
  PROFILE_CHANGES_PER_ACCOUNT: AtLeastOne(60),
  /** Drills and practice tests started. */
  QUIZZES_PER_ACCOUNT: AtLeastOne(60),
  /** Drills that are open at the same time, not per hour. */
  OPEN_DRILLS_PER_ACCOUNT: AtLeastOne(5),
  /** Per gateway. A practice test with every question reported and commented on takes 76. */
  REPORTS_PER_ACCOUNT: AtLeastOne(120),
  /** Per gateway. One every six seconds is faster than anyone reads. */
  TRANSLATIONS_PER_ACCOUNT: AtLeastOne(600),
  /** Public pages and calls per minute and gateway; a whole class may share one address. */
  PUBLIC_CALLS_PER_ADDRESS: AtLeastOne(600),
};
export const LimitsConfig = Type.Object(Limits);
export type LimitsConfig = Static<typeof LimitsConfig>;

const Networks = Type.Refine(
  Type.Refine(
    Type.String(),
    (text) => splitList(text).every(isNetwork),
    () => 'must be addresses or networks, comma-separated, like 172.18.0.1 or 10.0.0.0/8',
  ),
  (text) => !coverTooMuch(splitList(text).filter(isNetwork)),
  () =>
    'names too much of the Internet: together at most a /8 of IPv4 and a /16 of IPv6 beside ' +
    'private networks, or any client is believed that writes the header',
);

/** The secrets of Stripe's webhook. An empty one would verify nothing. */
const WebhookSecrets = Type.Refine(
  Type.String(),
  (text) =>
    splitList(text).length > 0 && splitList(text).every((secret) => /^whsec_\S+$/.test(secret)),
  () => 'must be what Stripe shows for the endpoint, whsec_…, or two of them, comma-separated',
);

/** The operational settings of a long-running process. */
const Operation = {
  /** The admin port, for operators only: health checks, metrics, and in the workers the queue dashboard. */
  OPERATORS_HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  OPERATORS_PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 9464 }),
  /** Password of the user `operator`. Without it, only this host and `OPERATORS_NETWORKS` have access. */
  OPERATORS_PASSWORD: Type.Optional(Type.String({ minLength: 12 })),
  /** Networks with access without a password. */
  OPERATORS_NETWORKS: Type.Optional(Networks),
  /** The maximum size of a process's pool of database connections. */
  DATABASE_POOL: Type.Integer({ minimum: 4, maximum: 200, default: 20 }),
  /** The collector of traces: OTLP over HTTP. Without it, tracing is off. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** The running version, as shown to operators. */
  VERSION: Type.String({ minLength: 1, default: product.version }),
};

/** Our question bank, as this version has it. */
const OWN_BANK = resolve(import.meta.dirname, '../../local/seed/questions');

const Bank = {
  /** The folder of the release of the question bank that the portal offers, with its glossary. */
  BANK_DIR: Type.String({ minLength: 1, default: OWN_BANK }),
};

const Mail = {
  /** A server on this host is allowed in production too: many installations run a local relay. */
  SMTP_URL: Type.String({ pattern: '^smtps?://' }),
  /** `Name <address>` or an address. */
  MAIL_FROM: Type.String({ pattern: '@' }),
};

/** Addresses that learners see: the product and its support. */
const Contact = {
  PUBLIC_URL: Origin,
  SUPPORT_EMAIL: Address,
};

/** For operator commands that need only the database. */
export const DatabaseConfig = Type.Object({ DATABASE_URL: Common.DATABASE_URL });

/** For `npm run bank`. */
export const BankConfig = Type.Object({ DATABASE_URL: Common.DATABASE_URL, ...Bank });

export const MigrateConfig = Type.Object({ ...Common, ...Queue });
export type MigrateConfig = Static<typeof MigrateConfig>;

export const GatewayConfig = Type.Object({
  ...Common,
  ...Operation,
  ...Identity,
  ...Payments,
  ...Limits,
  ...Contact,
  ...Bank,
  HOST: Text,
  PORT: Port,
  /** Proxies whose X-Forwarded-For is trusted; none by default. */
  TRUSTED_PROXIES: Type.Optional(Networks),
  /** Connections of clients and proxies, live streams included. Each takes about 100 kB of memory. */
  MAX_CONNECTIONS: Type.Integer({ minimum: 10, maximum: 60_000, default: 2_000 }),
  /** How long requests are still accepted after SIGTERM, until the load balancer has noticed. */
  DRAIN_SECONDS: Type.Number({ minimum: 0, maximum: 30, default: 2 }),
  /**
   * How often the identity provider is asked whether it has ended the sessions of signed-in users. At most a
   * minute, which is the longest that a change in its console may take to have effect.
   */
  SESSION_CHECK_SECONDS: Type.Integer({ minimum: 1, maximum: 60, default: 30 }),
  FRONTEND_DIR: Type.Optional(Text),
  /** A feature switch: `off` removes the service worker from every browser that has it. */
  SERVICE_WORKER: Type.Union([Type.Literal('on'), Type.Literal('off')], { default: 'on' }),
  /** The contact for reports of vulnerabilities: an e-mail address or an https:// page. By default the support. */
  SECURITY_CONTACT: Type.Optional(
    Type.String({ pattern: '^(https://[^\\s<>"]+|[^@\\s<>",]+@[^@\\s<>",]+)$' }),
  ),
  /** One address or several, comma-separated. */
  ADMIN_EMAIL: Type.String({ pattern: '@' }),
  FIREBASE_AUTH_DOMAIN: Text,
  IDENTITY_JWKS_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  STRIPE_PUBLISHABLE_KEY: Type.String({ pattern: '^pk_(test|live)_\\S+$' }),
  /** Two, comma-separated, while a secret is being replaced. */
  STRIPE_WEBHOOK_SECRET: WebhookSecrets,
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
  ...Bank,
  ...Mail,
  /** How long the workers leave a paid registration to the confirm call of its learner. */
  REGISTRATION_GRACE_SECONDS: Type.Integer({ minimum: 0, maximum: 3600, default: 30 }),
});
export type WorkersConfig = Static<typeof WorkersConfig>;

/** The variables of the gateway and the workers, for commands that check the whole service. */
export const ServiceConfig = Type.Object({
  ...GatewayConfig.properties,
  ...WorkersConfig.properties,
});
export type ServiceConfig = Static<typeof ServiceConfig>;

/** Variables for stand-ins. With one of these in production, anyone could sign in as anyone. */
const STAND_INS = ['FIREBASE_AUTH_EMULATOR_HOST', 'STRIPE_API_URL', 'IDENTITY_JWKS_URL'] as const;

/** Domains for examples and those of RFC 2606, which receive no mail. */
const EXAMPLE_ADDRESS = /[@.](example\.[a-z]+|example|test|invalid|localhost)>?$/i;
/** The passwords in the settings of `npm start` and docker-compose.yml, and common ones. */
const KNOWN_PASSWORDS = new Set(['proveklar', 'postgres', 'password', 'secret', 'redis', '123456']);
/** The local default, placeholders, and one repeated character. */
const KNOWN_KEY = /local|example|change.?me|secret|^(.)\1*$/i;
/** Loopback, and addresses that a program may listen on but that no other host can request. */
const THIS_MACHINE = /^(127\.\d+\.\d+\.\d+|\[?::1?\]?|0\.0\.0\.0|(.+\.)?localhost)$/;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/;

/**
 * Values that production rejects: the local defaults, which are public, and other unsafe values. For each
 * variable: a test for a bad value, and the message with what to set instead.
 */
const NOT_IN_PRODUCTION: Record<string, readonly [(text: string) => boolean, string]> = {
  PUBLIC_URL: [
    (url) => !url.startsWith('https://') || THIS_MACHINE.test(hostOf(url)),
    'is not the address that people type: set https:// and the name of the site; TLS may end at a proxy',
  ],
  DATABASE_URL: [
    hasKnownPassword,
    'has a well-known password: set one of your own, at PostgreSQL too',
  ],
  QUEUE_URL: [hasKnownPassword, 'has a well-known password: set one of your own, at the queue too'],
  ADMIN_EMAIL: [
    (text) => splitList(text).some((address) => EXAMPLE_ADDRESS.test(address)),
    "holds an address for examples: set the Google account of the service's administrator",
  ],
  SUPPORT_EMAIL: [
    (address) => EXAMPLE_ADDRESS.test(address),
    'is an address for examples: set one that is read, learners are told to write to it',
  ],
  SECURITY_CONTACT: [
    (contact) => EXAMPLE_ADDRESS.test(contact),
    'is an address for examples: set one that is read, or leave it empty for SUPPORT_EMAIL',
  ],
  MAIL_FROM: [
    (sender) => EXAMPLE_ADDRESS.test(sender),
    'is an address for examples: set the sender that your mail server lets you use',
  ],
  SMTP_URL: [
    (url) => portOf(url) === '1025',
    'is the local mailbox, from which no mail goes on: set the address of your mail server',
  ],
  FIREBASE_PROJECT_ID: [
    (id) => id.startsWith('demo-'),
    'is the local default: set the id of your Firebase project',
  ],
  FIREBASE_API_KEY: [
    (key) => key === 'local',
    "is the local default: set the web API key of your Firebase project's settings",
  ],
  FIREBASE_AUTH_DOMAIN: [
    (host) => LOOPBACK.test(host),
    'is this machine: set <project>.firebaseapp.com, or the domain of yours that serves the sign-in',
  ],
  STRIPE_SECRET_KEY: [
    (key) => key === 'sk_test_local',
    "is the local default: set the secret key of Stripe's dashboard",
  ],
  STRIPE_PUBLISHABLE_KEY: [
    (key) => key === 'pk_test_local',
    "is the local default: set the publishable key of Stripe's dashboard",
  ],
  STRIPE_WEBHOOK_SECRET: [
    (text) => splitList(text).some((secret) => secret === 'whsec_local' || secret.length < 22),
    'holds one that is the local default or too short to be a secret: set what Stripe shows for the endpoint',
  ],
  WITHDRAWAL_KEY: [
    (key) => key.length < 32 || KNOWN_KEY.test(key),
    'is an example or too short to be a secret: set what `openssl rand -hex 32` writes, and keep it',
  ],
};

/** The environment does not match the schema of the process. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the environment of a process once, at its entry point. `NAME_FILE` is the path of a file with the
 * value of `NAME`, for mounted secrets.
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
 * Reads an environment and lists everything that is wrong with it. Only valid variables have a value.
 */
export function readConfig<S extends TObject>(
  schema: S,
  environment: Record<string, string | undefined>,
): { values: Partial<Static<S>>; problems: string[] } {
  const unreadable: string[] = [];
  const variables = Object.fromEntries(
    Object.keys(schema.properties).flatMap((name) => {
      const { value, problem } = readVariable(name, environment);
      if (problem) unreadable.push(problem);
      return value ? [[name, value]] : [];
    }),
  );
  const values = Value.Convert(schema, Value.Default(schema, variables)) as Record<string, unknown>;
  const errors = [...Value.Errors(schema, values)];
  const problems = [...unreadable, ...errors.flatMap((error) => describe(error))];
  problems.push(...adminPortProblems(values));
  problems.push(
    ...(values.NODE_ENV === 'production' ? productionProblems : liveKeyProblems)(values),
  );
  for (const { instancePath } of errors) delete values[instancePath.slice(1)];
  return { values: values as Partial<Static<S>>, problems };
}

/** Treats an empty variable as not set, because a file may leave one blank. */
function readVariable(
  name: string,
  environment: Record<string, string | undefined>,
): { value?: string; problem?: string } {
  const value = environment[name] || undefined;
  const file = environment[`${name}_FILE`] || undefined;
  if (!file) return { value };
  if (value) return { value, problem: `${name} and ${name}_FILE are both set: unset one of them` };
  try {
    // Editors and `echo` end a file with a line break, which is not part of the secret.
    return { value: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return { problem: `${name}_FILE cannot be read (${code})` };
  }
}

/** An admin port that others can reach shows the queues, so it needs a password or a list of networks. */
function adminPortProblems(values: Record<string, unknown>): string[] {
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

function describe(error: ReturnType<typeof Value.Errors>[number]): string[] {
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => `${name} is not set`);
  }
  return [`${error.instancePath.slice(1)} ${error.message}`];
}

function productionProblems(values: Record<string, unknown>): string[] {
  const standIns = STAND_INS.filter((name) => values[name]).map(
    (name) => `${name} is set: a stand-in must not run in production; unset it`,
  );
  const unsafe = Object.entries(NOT_IN_PRODUCTION).flatMap(([name, [isUnsafe, message]]) => {
    const value = values[name];
    return typeof value === 'string' && isUnsafe(value) ? [`${name} ${message}`] : [];
  });
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = values;
  const mixed = publishable !== undefined && modeOf(secret) !== modeOf(publishable);
  const mode =
    'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes (test, live): set both of one';
  return [...standIns, ...unsafe, ...(mixed ? [mode] : [])];
}

/** Outside production the rules above are not checked, so a key that charges cards is rejected. */
function liveKeyProblems({ STRIPE_SECRET_KEY: key }: Record<string, unknown>): string[] {
  if (modeOf(key) !== 'live') return [];
  return ['STRIPE_SECRET_KEY is for live mode: set NODE_ENV=production, or a key for test mode'];
}

function hasKnownPassword(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { password, searchParams } = new URL(address);
  return [decoded(password), searchParams.get('password')].some(
    (known) => known !== null && KNOWN_PASSWORDS.has(known.toLowerCase()),
  );
}

/** Decodes the percent-encoding of a password in a URL. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '');
const portOf = (url: string) => (URL.canParse(url) ? new URL(url).port : '');

const modeOf = (key: unknown) => String(key).split('_')[1];

/** The environment of this process, for callers that report all problems with `readConfig`. */
export const environmentOfProcess = (): Record<string, string | undefined> => process.env;

/** Splits a comma-separated list. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
