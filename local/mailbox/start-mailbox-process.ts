import { fileURLToPath } from 'node:url';
import { startNode, type Child } from '#processes.ts';
import { answersOk, untilReady } from '#until-ready.ts';
import type { MailboxOptions } from './server.ts';

export interface MailboxProcessOptions extends MailboxOptions {
  host: string;
  logFile: string;
  nodeEnv?: string;
  onLine?: (line: string) => void;
  signal?: AbortSignal;
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Starts the mailbox in a process of its own. */
export function startMailboxProcess(options: MailboxProcessOptions): {
  child: Child;
  ready: Promise<void>;
} {
  const { logFile, onLine, signal, nodeEnv, ...order } = options;
  const script = [MAIN, JSON.stringify(order)];
  const env = { NODE_ENV: nodeEnv };
  const child = startNode({ name: 'mailbox', script, env, logFile, onLine });
  const url = `http://${order.host}:${order.port}/`;
  return { child, ready: untilReady({ child, isReady: () => answersOk(url), logFile, signal }) };
}
