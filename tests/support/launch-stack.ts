import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import { Stack } from '@proveklar/local/run-stack.ts';
import { LOOPBACK, stackSettings } from '@proveklar/local/settings.ts';
import { timed } from './profile.ts';

/** A stack's addresses, which can be sent to another process as JSON. */
export interface StackAddresses {
  /** Pages and API. */
  url: string;
  /** The admin ports of the workers and of the gateway. */
  operatorsUrl: string;
  gatewayOperatorsUrl: string;
  stripeUrl: string;
  mailboxUrl: string;
  databaseUrl: string;
  /** Where the processes write their logs. */
  logsDir: string;
}

export interface LaunchOptions {
  PATH: string;
  databaseUrl: string;
  /** A running identity emulator, and its project. */
  identityUrl: string;
  projectId: string;
  /** The built frontend; not needed with `dev`. */
  frontendDir: string | undefined;
  /** Added to the environment of the processes, such as `QUEUE_URL`. */
  environment?: Record<string, string>;
  /** Starts it as `npm run dev` does: watches the sources, and Vite serves the frontend. */
  dev?: boolean;
}

export interface LaunchedStack {
  addresses: StackAddresses;
  stack: Stack;
  /** Stops the processes; the database stays. */
  close: () => Promise<void>;
}

/**
 * Starts a whole seeded stack on free ports, by the same code as `npm start`: a Stripe stand-in, a
 * mailbox, the gateway and the workers, each as a process.
 */
export async function launchStack(options: LaunchOptions): Promise<LaunchedStack> {
  const { dev = false, databaseUrl } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'proveklar-stack-'));
  const ports = await freePorts(7);
  const [port = 0, operatorsPort = 0, stripePort = 0, smtpPort = 0, mailboxPort = 0] = ports;
  const [gatewayPort = 0, gatewayOperatorsPort = 0] = ports.slice(5);
  const settings = stackSettings(
    {
      PATH: options.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      FIREBASE_PROJECT_ID: options.projectId,
      FIREBASE_AUTH_EMULATOR_HOST: new URL(options.identityUrl).host,
      FRONTEND_DIR: options.frontendDir,
      PORT: String(port),
      GATEWAY_PORT: String(gatewayPort),
      OPERATORS_PORT: String(operatorsPort),
      GATEWAY_OPERATORS_PORT: String(gatewayOperatorsPort),
      STRIPE_PORT: String(stripePort),
      SMTP_PORT: String(smtpPort),
      MAILBOX_PORT: String(mailboxPort),
      // All of a test's learners have the same IP address.
      PUBLIC_CALLS_PER_ADDRESS: '1000000',
      INTENTS_PER_ADDRESS: '100000',
      INTENTS_PER_ADDRESS_AFTER_DECLINES: '100000',
      // Load tests have one learner start many quizzes.
      QUIZZES_PER_ACCOUNT: '100000',
      OPEN_DRILLS_PER_ACCOUNT: '100000',
      ...options.environment,
    },
    { dataDir, dev },
  );
  const stack = new Stack(settings);
  const close = async () => {
    await timed('stack', () => stack.close());
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await timed('stack', () => stack.start());
  } catch (error) {
    await close();
    throw error;
  }
  const at = (localPort: number) => `http://${LOOPBACK}:${localPort}`;
  const addresses = {
    url: settings.environment.PUBLIC_URL,
    operatorsUrl: at(operatorsPort),
    gatewayOperatorsUrl: at(gatewayOperatorsPort),
    stripeUrl: at(stripePort),
    mailboxUrl: at(mailboxPort),
    databaseUrl,
    logsDir: join(dataDir, 'logs'),
  };
  return { addresses, stack, close };
}
