import { fileURLToPath } from 'node:url';
import type { MailboxOptions } from './mailbox/server.ts';
import { type Child, startNode } from './processes.ts';
import { answersOk, untilReady } from './until-ready.ts';

// Starts the stand-ins for third parties, each in its own process: Firebase's Auth emulator, the Stripe
// stand-in, and the mailbox.

export interface EmulatorOptions {
  host: string;
  port: number;
  projectId: string;
  /** The folder of stored users; without it they are lost when the emulator stops. */
  dataDir?: string;
  logFile: string;
  signal?: AbortSignal;
}

export interface Emulator {
  url: string;
  child: Child;
  /** Resolves when it is ready. */
  ready: Promise<void>;
}

const IDENTITY_MAIN = fileURLToPath(new URL('./identity/main.ts', import.meta.url));
// Without the variables of the shell, which may have the addresses and keys of a real project.
const IDENTITY_ENVIRONMENT = { NODE_ENV: 'development' };

/** Starts Firebase's Auth emulator in its own process. */
export function startIdentityEmulator(options: EmulatorOptions): Emulator {
  const { logFile, signal, ...order } = options;
  const script = [IDENTITY_MAIN, JSON.stringify(order)];
  const child = startNode({ name: 'identity', script, env: IDENTITY_ENVIRONMENT, logFile });
  const url = `http://${options.host}:${options.port}`;
  const isReady = () => isConfigured(url, options.projectId);
  return { url, child, ready: untilReady({ child, isReady, logFile, signal }) };
}

/** Ready once the project's settings are applied, the last step of `identity/main.ts`. */
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
  /** No webhook events are sent without it. */
  webhookUrl?: string;
  webhookSecret: string;
  nodeEnv?: string;
  onLine?: (line: string) => void;
  signal?: AbortSignal;
}

const STRIPE_MAIN = fileURLToPath(new URL('../stripe-stand-in/main.ts', import.meta.url));

/** Starts the Stripe stand-in in its own process. */
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

/** Starts the mailbox in its own process. */
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
