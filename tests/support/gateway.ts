import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '@proveklar/gateway/app.ts';
import { createDeps, type GatewayDeps } from '@proveklar/gateway/deps.ts';
import { startStripeStandIn, type StripeStandIn } from '@proveklar/stripe-stand-in/server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { WAIT_TIMEOUT_MS } from './hang.ts';
import { TestIdentity, uniqueEmail } from './identity.ts';
import { WIDE_LIMITS } from './limits.ts';
import { timed } from './profile.ts';
import { shared } from './shared.ts';
import { TEST_PROJECT } from './shared-services.ts';

export const WEBHOOK_SECRET = 'whsec_test';
/** A release of the question bank with one question. */
const EXAMPLE_BANK = join(import.meta.dirname, 'example-bank');

export interface TestGateway {
  app: FastifyInstance;
  deps: GatewayDeps;
  identity: TestIdentity;
  stripeUrl: string;
  database: TestDatabase;
  /** Calls the API as a client would; `token` is sent as the bearer token. */
  call: (method: Method, path: string, options?: CallOptions) => Promise<Answer>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface CallOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the type it expects
  body: any;
}

/** The dependencies of a test's gateway. */
export function createTestDeps(config: GatewayDeps['config']): GatewayDeps {
  const deps = createDeps(config, () => {});
  // On a slow host, a hundred calls at once wait longer for one of its connections.
  deps.db.options.connectionTimeoutMillis = WAIT_TIMEOUT_MS;
  return deps;
}

/**
 * A gateway with real dependencies: a database of its own, the run's identity emulator and a Stripe
 * stand-in that sends no webhooks. Use it inside tests and hooks only.
 */
export function useTestGateway({ log }: { log?: FastifyBaseLogger } = {}): TestGateway {
  let opened: (TestGateway & { stripe: StripeStandIn; dataDir: string }) | undefined;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const { url } = await shared<{ url: string }>('identity');
    const identity = new TestIdentity(url, TEST_PROJECT);
    const dataDir = await mkdtemp(join(tmpdir(), 'proveklar-stripe-'));
    const { stripe, deps, app } = await timed('gateway', async () => {
      const started = await startStripeStandIn({ port: 0, dataDir, webhookSecret: WEBHOOK_SECRET });
      const made = createTestDeps(testConfig(database.url, identity, started.url));
      return { stripe: started, deps: made, app: await buildApp(made, log) };
    });
    const call: TestGateway['call'] = async (method, path, { token, body, headers } = {}) => {
      const response = await app.inject({
        method,
        url: `/api/v1${path}`,
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
        ...(body !== undefined && { payload: body as object }),
      });
      return { status: response.statusCode, body: response.json() };
    };
    opened = { app, deps, identity, stripeUrl: stripe.url, database, call, stripe, dataDir };
  });
  afterAll(async () => {
    await timed('gateway', async () => {
      await opened?.app.close();
      await opened?.stripe.close();
    });
    await opened?.database.drop();
    if (opened) await rm(opened.dataDir, { recursive: true });
  });
  return new Proxy({} as TestGateway, {
    get: (_target, name: keyof TestGateway) => {
      if (!opened) throw new Error('Use the gateway inside tests and hooks only.');
      return opened[name];
    },
  });
}

/** The gateway's configuration for these addresses. Nothing is called before a gateway is built from it. */
export function testConfig(
  databaseUrl: string,
  identity: Pick<TestIdentity, 'host' | 'projectId'>,
  stripeUrl: string,
) {
  // The identity provider's SDK finds the emulator by this variable only; it has no option for it.
  process.env.FIREBASE_AUTH_EMULATOR_HOST = identity.host;
  return {
    NODE_ENV: 'test' as const,
    LOG_LEVEL: 'silent' as const,
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: 0,
    OPERATORS_HOST: '127.0.0.1',
    OPERATORS_PORT: 0,
    DATABASE_POOL: 20,
    MAX_CONNECTIONS: 2_000,
    DRAIN_SECONDS: 0,
    SESSION_CHECK_SECONDS: 60,
    VERSION: 'test',
    PUBLIC_URL: 'http://127.0.0.1:3000',
    // A new one for each gateway: the run's files share one emulator.
    ADMIN_EMAIL: uniqueEmail(),
    SUPPORT_EMAIL: 'kontakt@example.no',
    FIREBASE_PROJECT_ID: identity.projectId,
    FIREBASE_API_KEY: 'local',
    FIREBASE_AUTH_DOMAIN: '127.0.0.1',
    FIREBASE_AUTH_EMULATOR_HOST: identity.host,
    STRIPE_SECRET_KEY: 'sk_test_local',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_local',
    PAYMENT_METHODS: 'card',
    STRIPE_API_URL: stripeUrl,
    SERVICE_WORKER: 'on' as const,
    BANK_DIR: EXAMPLE_BANK,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    WITHDRAWAL_KEY: 'withdrawal-key-test',
    ...WIDE_LIMITS,
  };
}
