import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { freePorts } from '@proveklar/local/ports.ts';
import { runToEnd } from '@proveklar/local/processes.ts';
import { LOOPBACK, PROJECT_DIR } from '@proveklar/local/settings.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { TestIdentity } from './identity.ts';
import { testSettings } from './settings.ts';
import type { TestProduct } from './stack.ts';

/** `docker compose up`, from the project's own file. */
export interface ComposeStack extends TestProduct {
  /** The tag of the images that were built: proveklar:<version>. */
  version: string;
  /** The same, over TLS. */
  tlsUrl: string;
  /** The root certificate of Caddy's internal authority, PEM. */
  rootCertificate: string;
  docker: (...args: string[]) => Promise<string>;
  /** Runs `docker compose up --wait` again, with other settings or another number of containers. */
  up: (change: { env?: Record<string, string>; scale?: Record<string, number> }) => Promise<void>;
  /** The ids of a service's containers, or of all containers. */
  containers: (service?: string) => Promise<string[]>;
}

const VERSION = 'test';
/** Below the proxy's XDG_DATA_HOME. */
const ROOT_CERTIFICATE = '/tmp/caddy/pki/authorities/local/root.crt';
// Most of it is for building the images.
const HOOK_TIMEOUT_MS = 15 * 60_000;

/**
 * Builds the images and runs the whole product in containers, by the project's own compose file; only
 * the ports differ. Use `current` inside tests and hooks only.
 *
 * @param engine the Docker engine, as in DOCKER_HOST
 */
export function useComposeStack(engine: string | undefined): { readonly current: ComposeStack } {
  let stack: ComposeStack | undefined;
  const project = `proveklar-test-${randomBytes(3).toString('hex')}`;
  let compose: (...args: string[]) => Promise<string>;
  beforeAll(async () => {
    const [
      port = 0,
      identityPort = 0,
      stripePort = 0,
      mailboxPort = 0,
      postgresPort = 0,
      tlsPort = 0,
    ] = await freePorts(6);
    const env: Record<string, string | undefined> = {
      PATH: testSettings().PATH,
      DOCKER_HOST: engine,
      VERSION,
      PORT: `${port}`,
      IDENTITY_PORT: `${identityPort}`,
      STRIPE_PORT: `${stripePort}`,
      MAILBOX_PORT: `${mailboxPort}`,
      TEST_POSTGRES_PORT: `${postgresPort}`,
      TEST_TLS_PORT: `${tlsPort}`,
      // All of a test's learners have the same IP address.
      PUBLIC_CALLS_PER_ADDRESS: '1000000',
      INTENTS_PER_ADDRESS: '100000',
      INTENTS_PER_ADDRESS_AFTER_DECLINES: '100000',
      QUIZZES_PER_ACCOUNT: '100000',
    };
    const docker = (...args: string[]) =>
      runToEnd({ name: 'docker', command: ['docker', ...args], env, cwd: PROJECT_DIR });
    const files = [
      'docker-compose.yml',
      'docker-compose.override.yml',
      'tests/containers/compose.override.yml',
    ];
    const fileArgs = files.flatMap((file) => ['-f', join(PROJECT_DIR, file)]);
    // Not the .env of the developer who runs the tests.
    compose = (...args) =>
      docker('compose', '-p', project, '--env-file', '/dev/null', ...fileArgs, ...args);

    const up: ComposeStack['up'] = async (change) => {
      Object.assign(env, change.env);
      const scales = Object.entries(change.scale ?? {}).map(([name, n]) => `${name}=${n}`);
      try {
        await compose('up', '--no-build', '--wait', ...scales.flatMap((one) => ['--scale', one]));
      } catch (error) {
        const logs = await compose('logs', '--tail', '15', '--no-color').catch(String);
        throw new Error(`${String(error)}\n${logs}`, { cause: error });
      }
    };

    await compose('build', '--quiet');
    await up({});
    const database = `postgres://proveklar:proveklar@${LOOPBACK}:${postgresPort}/proveklar`;
    stack = {
      version: VERSION,
      url: `http://${LOOPBACK}:${port}`,
      tlsUrl: `https://localhost:${tlsPort}`,
      rootCertificate: await compose('exec', '-T', 'proxy', 'cat', ROOT_CERTIFICATE),
      stripeUrl: `http://${LOOPBACK}:${stripePort}`,
      mailboxUrl: `http://${LOOPBACK}:${mailboxPort}`,
      identity: new TestIdentity(`http://${LOOPBACK}:${identityPort}`, 'demo-proveklar'),
      database: { pool: createPool(database, { applicationName: 'test' }) },
      docker,
      up,
      containers: async (service) => {
        const ids = await compose('ps', '--quiet', ...(service ? [service] : []));
        return ids.split('\n').filter(Boolean);
      },
    };
  }, HOOK_TIMEOUT_MS);
  afterAll(async () => {
    await stack?.database.pool.end();
    await compose?.('down', '--volumes', '--timeout', '15');
  }, HOOK_TIMEOUT_MS);
  return {
    get current() {
      if (!stack) throw new Error('Use the stack inside tests and hooks only.');
      return stack;
    },
  };
}
