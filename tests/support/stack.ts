import { afterAll, beforeAll } from 'vitest';
import { createPool } from '@proveklar/services/database/pool.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { TestIdentity } from './identity.ts';
import { launchStack, type LaunchOptions, type StackAddresses } from './launch-stack.ts';
import { testSettings } from './settings.ts';
import { TEST_PROJECT } from './shared-services.ts';
import { shared } from './shared.ts';

/** The whole product, wherever it runs: what a test of visitors and learners needs. */
export interface TestProduct extends Pick<StackAddresses, 'url' | 'stripeUrl' | 'mailboxUrl'> {
  identity: TestIdentity;
  database: Pick<TestDatabase, 'pool'>;
}

/** A stack that other test files use at the same time. */
export interface SharedStack extends TestProduct, StackAddresses {}

/** A stack of one test file, which may restart it and change its settings. */
export interface TestStack extends SharedStack {
  database: TestDatabase;
  /** The process id of the gateway or the workers. A killed process is restarted, with a new id. */
  pid: (name: 'gateway' | 'workers') => number;
  close: () => Promise<void>;
}

export type TestStackOptions = Pick<LaunchOptions, 'environment' | 'dev'>;

/** Starts a stack with a new database and the run's identity emulator. */
export async function startStack(options: TestStackOptions = {}): Promise<TestStack> {
  const [{ url: identityUrl }, frontend] = await Promise.all([
    shared<{ url: string }>('identity'),
    options.dev ? undefined : shared<{ dir: string }>('frontend'),
  ]);
  const database = await createTestDatabase();
  const launched = launchStack({
    PATH: testSettings().PATH,
    databaseUrl: database.url,
    identityUrl,
    projectId: TEST_PROJECT,
    frontendDir: frontend?.dir,
    ...options,
  });
  await launched.catch(() => database.drop());
  const { addresses, stack, close } = await launched;
  return {
    ...addresses,
    identity: new TestIdentity(identityUrl, TEST_PROJECT),
    database,
    pid: (name) => stack.process(name).pids[0] ?? 0,
    async close() {
      await close();
      // After the processes: a connection that is still open now has leaked.
      await database.drop();
    },
  };
}

/** A stack for one test file that kills its processes, or changes what all its visitors see. */
export function useOwnStack(options: TestStackOptions = {}): { readonly current: TestStack } {
  let stack: TestStack | undefined;
  beforeAll(async () => {
    stack = await startStack(options);
  });
  afterAll(() => stack?.close());
  return current(() => stack);
}

/**
 * The stack that the run's test files share. A test creates its own learners in it, and changes
 * neither settings nor questions. Use `current` inside tests and hooks only.
 */
export function useStack(): { readonly current: SharedStack } {
  let stack: SharedStack | undefined;
  beforeAll(async () => {
    const [addresses, { url }] = await Promise.all([
      shared<StackAddresses>('stack'),
      shared<{ url: string }>('identity'),
    ]);
    const pool = createPool(addresses.databaseUrl, { applicationName: 'test' });
    const identity = new TestIdentity(url, TEST_PROJECT);
    stack = { ...addresses, identity, database: { pool } };
  });
  afterAll(() => stack?.database.pool.end());
  return current(() => stack);
}

function current<T>(get: () => T | undefined): { readonly current: T } {
  return {
    get current() {
      const stack = get();
      if (!stack) throw new Error('Use the stack inside tests and hooks only.');
      return stack;
    },
  };
}
