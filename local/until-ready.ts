import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines, type Child } from '#processes.ts';
import { LOOPBACK } from '#settings.ts';

export interface UntilReadyOptions {
  child: Child;
  isReady: () => Promise<boolean>;
  logFile: string;
  timeoutMs?: number;
  signal?: AbortSignal;
}

const POLL_INTERVAL_MS = 40;
/** With both cores busy, the identity emulator has taken more than a minute. */
const TIMEOUT_MS = 3 * 60_000;

/**
 * Polls until a process that was just started is ready.
 *
 * @throws Error with the last lines of its log when it ends, or is not ready in time
 */
export async function untilReady(options: UntilReadyOptions): Promise<void> {
  const { child, isReady, logFile, timeoutMs = TIMEOUT_MS, signal } = options;
  let ended = false;
  void child.ended.then(() => (ended = true));
  const deadline = Date.now() + timeoutMs;
  while (!(await isReady())) {
    signal?.throwIfAborted();
    const problem = ended ? 'ended at once' : Date.now() > deadline ? 'is not ready' : undefined;
    if (problem) {
      throw new Error(`${child.name} ${problem}. The end of ${logFile}:\n${lastLines(logFile)}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
  // Another process may have answered on its port.
  if (ended) throw new Error(`${child.name} ended at once:\n${lastLines(logFile)}`);
}

/** The host to connect to for a server that may listen on all addresses. */
export function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
}

/** Whether a GET of the URL succeeds. It leaves no connection open, for which a server that shuts down would wait. */
export async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(2_000),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
