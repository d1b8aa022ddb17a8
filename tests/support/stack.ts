import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { freePorts } from '@proveklar/local/ports.ts';
import { Stack } from '@proveklar/local/run-stack.ts';
import { LOOPBACK, stackSettings } from '@proveklar/local/settings.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { TestIdentity } from './identity.ts';
import { timed } from './profile.ts';
import { testSettings } from './settings.ts';
import { TEST_PROJECT } from './shared-services.ts';
import { shared } from './shared.ts';

/** The whole product, wherever it runs: what a visitor and a learner need. */
export interface TestProduct {
  /** Pages and API. */
  url: string;
  stripeUrl: string;
  mailboxUrl: string;
  identity: TestIdentity;
  database: Pick<TestDatabase, 'pool'>;
}

export interface TestStack extends TestProduct {
  /** Of the workers, and of the gateway. */
  operatorsUrl: string;
  gatewayOperatorsUrl: string;
  database: TestDatabase;
  /** The process that is the gateway or the workers now. One that is killed is started again. */
  pid: (name: 'gateway' | 'workers') => number;
  /** Where the processes write their logs. */
  logsDir: string;
  close: () => Promise<void>;
}

export interface TestStackOptions {
  /** Added to the environment of the processes, such as `QUEUE_URL`. */
  environment?: Record<string, string>;
  /** As `npm run dev` starts it: the sources are watched, and Vite serves the frontend. */
  dev?: boolean;
}

/**
 * A whole seeded stack on ports of its own, by the same code as `npm start`: a new database, a
 * Stripe stand-in, the gateway and the workers as processes, and the run's identity emulator.
 */
export async function startStack({
  environment,
  dev = false,
}: TestStackOptions = {}): Promise<TestStack> {
  const [{ url: identityUrl }, frontend] = await Promise.all([
    shared<{ url: string }>('identity'),
    dev ? undefined : shared<{ dir: string }>('frontend'),
  ]);
  const database = await createTestDatabase();
  const identity = new TestIdentity(identityUrl, TEST_PROJECT);
  const dataDir = await mkdtemp(join(tmpdir(), 'proveklar-stack-'));
  const ports = await freePorts(7);
  const [port = 0, operatorsPort = 0, stripePort = 0, smtpPort = 0, mailboxPort = 0] = ports;
  const [gatewayPort = 0, gatewayOperatorsPort = 0] = ports.slice(5);
  const settings = stackSettings(
    {
      PATH: testSettings().PATH,
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      FIREBASE_PROJECT_ID: identity.projectId,
      FIREBASE_AUTH_EMULATOR_HOST: identity.host,
      FRONTEND_DIR: frontend?.dir,
      PORT: String(port),
      GATEWAY_PORT: String(gatewayPort),
      OPERATORS_PORT: String(operatorsPort),
      GATEWAY_OPERATORS_PORT: String(gatewayOperatorsPort),
      STRIPE_PORT: String(stripePort),
      SMTP_PORT: String(smtpPort),
      MAILBOX_PORT: String(mailboxPort),
      // All of a test's learners come from one and the same address.
      INTENTS_PER_ADDRESS: '100000',
      INTENTS_PER_ADDRESS_AFTER_DECLINES: '100000',
      ...environment,
    },
    { dataDir, dev },
  );
  const stack = new Stack(settings);
  const close = async () => {
    await timed('stack', () => stack.close());
    // First the processes, then the database: what is still connected to it now has leaked.
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await timed('stack', () => stack.start());
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: settings.environment.PUBLIC_URL,
    operatorsUrl: `http://${LOOPBACK}:${operatorsPort}`,
    gatewayOperatorsUrl: `http://${LOOPBACK}:${gatewayOperatorsPort}`,
    stripeUrl: `http://${LOOPBACK}:${stripePort}`,
    mailboxUrl: `http://${LOOPBACK}:${mailboxPort}`,
    identity,
    database,
    pid: (name) => stack.process(name).pids[0] ?? 0,
    logsDir: join(dataDir, 'logs'),
    close,
  };
}

/** The same for a test file. Use `current` inside tests and hooks only. */
export function useStack(options: TestStackOptions = {}): { readonly current: TestStack } {
  let stack: TestStack | undefined;
  beforeAll(async () => {
    stack = await startStack(options);
  });
  afterAll(() => stack?.close());
  return {
    get current() {
      if (!stack) throw new Error('The stack is there in tests and hooks only.');
      return stack;
    },
  };
}
