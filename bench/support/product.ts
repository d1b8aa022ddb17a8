import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import { startNode, type Child } from '@proveklar/local/processes.ts';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { answersOk, untilReady } from '@proveklar/local/until-ready.ts';
import type { Bench } from '#row.ts';
import { ADMIN_EMAIL, PROJECT } from './identity.ts';

/** The gateway, and the workers where asked for, as the processes that they are in production. */
export interface Product {
  url: string;
  pids: { gateway: number; workers?: number };
  stop: () => Promise<void>;
}

interface ProductOptions {
  workers: boolean;
  /** What is to be other than usual. */
  environment?: Record<string, string | undefined>;
}

const NOBODY = '127.0.0.1:1';

export async function startProduct(
  { scratch, identity }: Bench,
  databaseUrl: string,
  { workers: withWorkers, environment }: ProductOptions,
): Promise<Product> {
  const [port = 0, operatorsPort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    // Production refuses keys that are not Google's; nothing else differs.
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    QUEUE_URL: databaseUrl,
    PUBLIC_URL: url,
    HOST: '127.0.0.1',
    DRAIN_SECONDS: '0',
    PORT: String(port),
    OPERATORS_PORT: String(operatorsPort),
    ADMIN_EMAIL,
    SUPPORT_EMAIL: 'kontakt@example.no',
    SMTP_URL: `smtp://${NOBODY}`,
    MAIL_FROM: 'Prøveklar <kontakt@example.no>',
    FIREBASE_PROJECT_ID: PROJECT,
    FIREBASE_API_KEY: 'bench',
    FIREBASE_AUTH_DOMAIN: '127.0.0.1',
    // Spares the processes the question whether Google lets them in. Signed tokens are verified all
    // the same, by these keys.
    FIREBASE_AUTH_EMULATOR_HOST: NOBODY,
    IDENTITY_JWKS_URL: identity.jwksUrl,
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    STRIPE_API_URL: `http://${NOBODY}`,
    ...environment,
  };
  const start = async (name: string, script: string, readyUrl: string) => {
    const logFile = join(scratch.dir, `${name}-${port}.log`);
    const child = startNode({
      name,
      script: [join(PROJECT_DIR, script)],
      // Nobody looks at the gateway's figures here, and both cannot have one port.
      env: name === 'gateway' ? { ...env, OPERATORS_PORT: '0' } : env,
      logFile,
    });
    await untilReady({ child, isReady: () => answersOk(readyUrl), logFile });
    return child;
  };
  const children: Child[] = [];
  const stop = async () => {
    for (const child of children.splice(0)) await child.stop();
  };
  try {
    children.push(await start('gateway', 'gateway/server.ts', `${url}/health/ready`));
    if (withWorkers) {
      const health = `http://127.0.0.1:${operatorsPort}/health/ready`;
      children.push(await start('workers', 'workers/main.ts', health));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const [gateway, workers] = children.map((child) => child.pids[0]);
  return { url, pids: { gateway: gateway!, ...(workers && { workers }) }, stop };
}
