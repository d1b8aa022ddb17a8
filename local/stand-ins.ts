import { fileURLToPath } from 'node:url';
import type { MailboxOptions } from './mailbox/server.ts';
import { type Child, startNode } from './processes.ts';
import { answersOk, untilReady } from './until-ready.ts';

// What stands in for other companies on this machine, each in a process of its own: Firebase's own Auth
// emulator, the Stripe stand-in, and the mailbox.

export interface EmulatorOptions {
  host: string;
  port: number;
  projectId: string;
  /** Users are kept here; without it they live as long as the emulator. */
  dataDir?: string;
  logFile: string;
  signal?: AbortSignal;
}

export interface Emulator {
  url: string;
  child: Child;
  /** Resolves when it answers. */
  ready: Promise<void>;
}

const IDENTITY_MAIN = fileURLToPath(new URL('./identity/main.ts', import.meta.url));
// It needs nothing of the shell's, least of all the addresses and keys of a real project.
const IDENTITY_ENVIRONMENT = { NODE_ENV: 'development' };

/** Starts Firebase's own Auth emulator in a process of its own. */
export function startIdentityEmulator(options: EmulatorOptions): Emulator {
  const { logFile, signal, ...order } = options;
  const script = [IDENTITY_MAIN, JSON.stringify(order)];
  const child = startNode({ name: 'identity', script, env: IDENTITY_ENVIRONMENT, logFile });
  const url = `http://${options.host}:${options.port}`;
  const isReady = () => isConfigured(url, options.projectId);
  return { url, child, ready: untilReady({ child, isReady, logFile, signal }) };
}

/** The project's settings are the last thing that it is given (`identity/main.ts`). */
async function isConfigured(url: string, projectId: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/emulator/v1/projects/${projectId}/config`);
    const config = (await response.json()) as Record<string, Record<string, unknown> | undefined>;
    return config.emailPrivacyConfig?.enableImprovedEmailPrivacy === true;
  } catch {
    return false;
  }
}

interface StripeOptions {
  host: string;
  port: number;
  dataDir: string;
  logFile: string;
  /** None are sent when it is absent. */
  webhookUrl?: string;
  webhookSecret: string;
  nodeEnv?: string;
  onLine?: (line: string) => void;
  signal?: AbortSignal;
}

const STRIPE_MAIN = fileURLToPath(new URL('../stripe-stand-in/main.ts', import.meta.url));

/** Starts the Stripe stand-in in a process of its own. */
export function startStripeProcess(options: StripeOptions): {
  child: Child;
  ready: Promise<void>;
} {
  const { logFile, onLine, signal, nodeEnv, ...order } = options;
  const child = startNode({
    name: 'stripe',
    script: [STRIPE_MAIN, JSON.stringify(order)],
    env: { NODE_ENV: nodeEnv },
    logFile,
    onLine,
  });
  const url = `http://${order.host}:${order.port}/stripe.js`;
  return { child, ready: untilReady({ child, isReady: () => answersOk(url), logFile, signal }) };
}

interface MailboxProcessOptions extends MailboxOptions {
  host: string;
  logFile: string;
  nodeEnv?: string;
  onLine?: (line: string) => void;
  signal?: AbortSignal;
}

const MAILBOX_MAIN = fileURLToPath(new URL('./mailbox/main.ts', import.meta.url));

/** Starts the mailbox in a process of its own. */
export function startMailboxProcess(options: MailboxProcessOptions): {
  child: Child;
  ready: Promise<void>;
} {
  const { logFile, onLine, signal, nodeEnv, ...order } = options;
  const script = [MAILBOX_MAIN, JSON.stringify(order)];
  const env = { NODE_ENV: nodeEnv };
  const child = startNode({ name: 'mailbox', script, env, logFile, onLine });
  const url = `http://${order.host}:${order.port}/`;
  return { child, ready: untilReady({ child, isReady: () => answersOk(url), logFile, signal }) };
}
