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

/** Ports that are free now, all different. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  // All are held until the last is known; otherwise the same one could be given twice.
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, host, () => {
            const address = server.address();
            resolve(typeof address === 'object' && address ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
