import { join } from 'node:path';
import { buildFrontend, FRONTEND_DIST, isFrontendBuilt } from '@proveklar/local/frontend.ts';
import { startIdentityEmulator } from '@proveklar/local/stand-ins.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import { runToEnd } from '@proveklar/local/processes.ts';
import { LEARNER } from '@proveklar/local/seed/seed.ts';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import type { BrowserContext } from 'playwright-core';
import type { Bench } from '#row.ts';
import { startProduct, type Product } from './product.ts';

const HOST = '127.0.0.1';
const PROJECT = 'demo-proveklar';

/** A running product with its pages, the demo questions, and a learner with service. */
export interface Demo {
  url: string;
  learner: { email: string; password: string };
  /** An ID token of the learner. */
  token: () => Promise<string>;
  stop: () => Promise<void>;
}

export async function startDemo(bench: Bench): Promise<Demo> {
  const { PATH = '' } = process.env;
  if (!isFrontendBuilt()) await buildFrontend({ PATH });
  const databaseUrl = await bench.scratch.database('demo');
  const [port = 0] = await freePorts(1);
  const logFile = join(bench.scratch.dir, 'identity.log');
  const emulator = startIdentityEmulator({ host: HOST, port, projectId: PROJECT, logFile });
  let product: Product | undefined;
  const stop = async () => {
    await product?.stop();
    await emulator.child.stop();
  };
  try {
    await emulator.ready;
    await seed(databaseUrl, `${HOST}:${port}`, PATH);
    product = await startProduct(bench, databaseUrl, {
      workers: false,
      environment: {
        FRONTEND_DIR: FRONTEND_DIST,
        FIREBASE_PROJECT_ID: PROJECT,
        FIREBASE_AUTH_EMULATOR_HOST: `${HOST}:${port}`,
        // The emulator's tokens are unsigned.
        IDENTITY_JWKS_URL: undefined,
      },
    });
    return { url: product.url, learner: LEARNER, token: () => readToken(emulator.url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** In its own process, because the identity provider's SDK reads the emulator's address from the environment. */
async function seed(databaseUrl: string, emulatorHost: string, PATH: string): Promise<void> {
  await runToEnd({
    name: 'The seed',
    command: [process.execPath, join(PROJECT_DIR, 'local/seed/seed.ts')],
    cwd: PROJECT_DIR,
    env: {
      PATH,
      NODE_ENV: 'development',
      DATABASE_URL: databaseUrl,
      FIREBASE_PROJECT_ID: PROJECT,
      FIREBASE_API_KEY: 'local',
      FIREBASE_AUTH_EMULATOR_HOST: emulatorHost,
    },
  });
}

async function readToken(emulatorUrl: string): Promise<string> {
  const call = 'identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=local';
  const response = await fetch(`${emulatorUrl}/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...LEARNER, returnSecureToken: true }),
  });
  return ((await response.json()) as { idToken: string }).idToken;
}

/** Signs the learner in, in this browser. */
export async function signIn(context: BrowserContext, { url, learner }: Demo): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/quiz?lng=no`);
  await page.locator('input[name="email"]').fill(learner.email);
  await page.locator('input[name="password"]').fill(learner.password);
  await page.locator('main form button[type="submit"]').click();
  await page.getByRole('tablist').waitFor();
  await page.close();
}
