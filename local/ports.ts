import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export interface PortRequest {
  port: number;
  /** A short description of its use. */
  purpose: string;
  /** The environment variable that sets it. */
  variable: string;
  host: string;
}

/**
 * Reports ports that are in use, and the variables to change.
 *
 * @returns one line for each port that is in use or requested twice
 */
export async function describeTakenPorts(requests: PortRequest[]): Promise<string[]> {
  const lines: string[] = [];
  const seen = new Map<number, string>();
  for (const { port, purpose, variable, host } of requests) {
    const other = seen.get(port);
    seen.set(port, variable);
    if (other) lines.push(`${other} and ${variable} are both ${port}. Each needs its own.`);
    else if (!(await isFree(port, host))) {
      lines.push(
        `Port ${port} (${purpose}) is taken. Free it, or choose another: ${variable}=${port + 1}`,
      );
    }
  }
  return lines;
}

/** Whether a server can listen on the port now. */
function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Below the ephemeral ports (Linux: from 32,768 on), which outgoing connections use: a process that restarts
 * on an ephemeral port sometimes finds it in use.
 */
const MIN_PORT = 20_000;
const MAX_PORT = 32_767;

/** Finds distinct free ports. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(MIN_PORT, MAX_PORT + 1);
    if (!ports.has(port) && (await isFree(port, host))) ports.add(port);
  }
  return [...ports];
}
