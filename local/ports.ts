import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

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
async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  if (!(await canListen(server, port, host))) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

function canListen(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => resolve(true));
  });
}

/**
 * Below the ephemeral ports (Linux: from 32,768 on), which outgoing connections use: a process that restarts
 * on an ephemeral port sometimes finds it in use.
 */
const BLOCKS = { first: 20_000, size: 100, count: 127 };

/**
 * The ports of this process. Its first port is listened on while the process lives, which is how others see
 * that the block is taken: a port is also ours before its server listens, and while that restarts.
 */
interface PortBlock {
  ports: number[];
  used: number;
}
let ownBlock: Promise<PortBlock> | undefined;

/** Finds distinct free ports, which no other process finds while this one lives. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  ownBlock ??= claimBlock();
  const block = await ownBlock;
  const found: number[] = [];
  // Once round: after the last port of the block comes its first one again.
  for (let tries = 0; tries < block.ports.length && found.length < count; tries++) {
    const port = block.ports[block.used++ % block.ports.length]!;
    if (await isFree(port, host)) found.push(port);
  }
  if (found.length < count) {
    const [first = 0] = block.ports;
    throw new Error(
      `Of the ${BLOCKS.size} ports from ${first} on only ${found.length} are free; ${count} are needed.`,
    );
  }
  return found;
}

async function claimBlock(): Promise<PortBlock> {
  const start = randomInt(BLOCKS.count);
  for (let n = 0; n < BLOCKS.count; n++) {
    const first = BLOCKS.first + ((start + n) % BLOCKS.count) * BLOCKS.size;
    if (await canListen(createServer().unref(), first, '127.0.0.1')) {
      return { ports: Array.from({ length: BLOCKS.size - 1 }, (_, at) => first + 1 + at), used: 0 };
    }
  }
  const last = BLOCKS.first + BLOCKS.count * BLOCKS.size - 1;
  throw new Error(`Other processes use the ports ${BLOCKS.first} to ${last}. End some of them.`);
}
