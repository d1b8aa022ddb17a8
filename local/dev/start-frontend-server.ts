import { fileURLToPath } from 'node:url';
import { startNode, type Child } from '#processes.ts';
import { answersOk, reachable, untilReady } from '#until-ready.ts';
import type { FrontendOrder } from './frontend-server.ts';

export interface FrontendServerOptions extends FrontendOrder {
  env: Record<string, string>;
  logFile: string;
  onLine?: (line: string) => void;
  signal?: AbortSignal;
}

const MAIN = fileURLToPath(new URL('./frontend-server.ts', import.meta.url));

/** Starts the frontend's development server in a process of its own. */
export function startFrontendServer(options: FrontendServerOptions): {
  child: Child;
  ready: Promise<void>;
} {
  const { env, logFile, onLine, signal, ...order } = options;
  const script = [MAIN, JSON.stringify(order)];
  const child = startNode({ name: 'frontend', script, env, logFile, onLine });
  const isReady = () => answersOk(`http://${reachable(order.host)}:${order.port}/`);
  return { child, ready: untilReady({ child, isReady, logFile, signal }) };
}
