import { fileURLToPath } from 'node:url';
import { startNode, type Child } from '#processes.ts';
import { answersOk, untilReady } from '#until-ready.ts';

export interface StandInOptions {
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

const MAIN = fileURLToPath(new URL('../stripe-stand-in/main.ts', import.meta.url));

/** Starts the Stripe stand-in in a process of its own. */
export function startStripeProcess(options: StandInOptions): {
  child: Child;
  ready: Promise<void>;
} {
  const { logFile, onLine, signal, nodeEnv, ...order } = options;
  const child = startNode({
    name: 'stripe',
    script: [MAIN, JSON.stringify(order)],
    env: { NODE_ENV: nodeEnv },
    logFile,
    onLine,
  });
  const url = `http://${order.host}:${order.port}/stripe.js`;
  return { child, ready: untilReady({ child, isReady: () => answersOk(url), logFile, signal }) };
}
