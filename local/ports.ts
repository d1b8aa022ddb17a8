import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export interface WantedPort {
  port: number;
  /** What it is for, in a few words. */
  purpose: string;
  /** The variable that moves it. */
  variable: string;
  host: string;
}

/**
 * Says which ports are taken, and what to set instead.
 *
 * @returns one line for each port that is taken or wanted twice; none when all are well
 */
export async function describeTakenPorts(wanted: WantedPort[]): Promise<string[]> {
  const lines: string[] = [];
  const seen = new Map<number, string>();
  for (const { port, purpose, variable, host } of wanted) {
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

/** Whether a server could listen there now. */
function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Below those that systems give to outgoing connections (Linux from 32,768 on): a process that
 * starts again on its port would find one of them there now and then.
 */
const FIRST = 20_000;
const LAST = 32_767;

/** Ports that are free now, all different. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(FIRST, LAST + 1);
    if (!ports.has(port) && (await isFree(port, host))) ports.add(port);
  }
  return [...ports];
}
