import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import { startNode } from '@proveklar/local/processes.ts';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { answersOk, untilReady } from '@proveklar/local/until-ready.ts';
import type { Bench } from '#row.ts';
import { ADMIN_EMAIL, PROJECT, type Identity } from './identity.ts';

/** One of our processes, configured as in production. */
export interface Service {
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

/** The gateway, and the workers if requested. */
export interface Product {
  url: string;
  pids: { gateway: number; workers?: number };
  stop: () => Promise<void>;
}

/** Environment variables that differ from the defaults. */
type Environment = Record<string, string | undefined>;

interface ProductOptions {
  workers: boolean;
  environment?: Environment;
}

const UNREACHABLE_HOST = '127.0.0.1:1';
export const WEBHOOK_SECRET = 'whsec_bench';

export async function startProduct(
  bench: Bench,
  databaseUrl: string,
  { workers: withWorkers, environment }: ProductOptions,
): Promise<Product> {
  const gateway = await startGateway(bench, databaseUrl, environment);
  try {
    const workers = withWorkers && (await startWorkers(bench, databaseUrl, environment));
    return {
      url: gateway.url,
      pids: { gateway: gateway.pid, ...(workers && { workers: workers.pid }) },
      async stop() {
        await gateway.stop();
        if (workers) await workers.stop();
      },
    };
  } catch (error) {
    await gateway.stop();
    throw error;
  }
}

/** @param directory where the code is, if not the checked-out version */
export async function startGateway(
  bench: Bench,
  databaseUrl: string,
  environment: Environment = {},
  directory = PROJECT_DIR,
): Promise<Service> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const script = join(directory, 'gateway/server.ts');
  // The gateway's metrics are not used here.
  const env = { PUBLIC_URL: url, PORT: String(port), OPERATORS_PORT: '0', ...environment };
  return startService(bench, databaseUrl, { name: 'gateway', script, url, env });
}

/**
 * Starts one process with the workers of all queues.
 *
 * @param directory where the code is, if not the checked-out version
 */
export async function startWorkers(
  bench: Bench,
  databaseUrl: string,
  environment: Environment = {},
  directory = PROJECT_DIR,
): Promise<Service> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const env = { PUBLIC_URL: 'http://127.0.0.1', OPERATORS_PORT: String(port), ...environment };
  const script = join(directory, 'workers/main.ts');
  return startService(bench, databaseUrl, { name: 'workers', script, url, env });
}

async function startService(
  { scratch, identity }: Bench,
  databaseUrl: string,
  { name, script, url, env }: { name: string; script: string; url: string; env: Environment },
): Promise<Service> {
  const logFile = join(scratch.dir, `${name}-${new URL(url).port}.log`);
  const child = startNode({
    name,
    script: [script],
    env: { ...usualEnvironment(identity, databaseUrl), ...env },
    logFile,
  });
  try {
    await untilReady({ child, isReady: () => answersOk(`${url}/health/ready`), logFile });
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { url, pid: child.pids[0]!, stop: () => child.stop() };
}

function usualEnvironment(identity: Identity, databaseUrl: string): Environment {
  return {
    PATH: process.env.PATH,
    // Production rejects keys that are not Google's; nothing else differs.
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    QUEUE_URL: databaseUrl,
    HOST: '127.0.0.1',
    DRAIN_SECONDS: '0',
    ADMIN_EMAIL,
    SUPPORT_EMAIL: 'kontakt@example.no',
    SMTP_URL: `smtp://${UNREACHABLE_HOST}`,
    MAIL_FROM: 'Prøveklar <kontakt@example.no>',
    FIREBASE_PROJECT_ID: PROJECT,
    FIREBASE_API_KEY: 'bench',
    FIREBASE_AUTH_DOMAIN: '127.0.0.1',
    // Skips the check of the credentials at Google. Tokens are signed, and verified with these keys.
    FIREBASE_AUTH_EMULATOR_HOST: UNREACHABLE_HOST,
    IDENTITY_JWKS_URL: identity.jwksUrl,
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    WITHDRAWAL_KEY: 'withdrawal-key-bench',
    STRIPE_API_URL: `http://${UNREACHABLE_HOST}`,
    // One learner at one address generates all the load.
    QUIZZES_PER_ACCOUNT: '1000000',
    PUBLIC_CALLS_PER_ADDRESS: '1000000',
  };
}
