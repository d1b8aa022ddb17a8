import { readdirSync, readFileSync } from 'node:fs';
import { withClient } from '@proveklar/local/postgres/cluster.ts';
import { NotMeasured } from '#not-measured.ts';

/** Of the kernel; the same on every Linux that Node supports. */
const MS_PER_TICK = 10;

/** @throws NotMeasured when the kernel does not provide it */
export function requireProcessorTimes(): void {
  if (process.platform !== 'linux') throw new NotMeasured('reads /proc, which only Linux has');
}

interface Pids {
  pid: number;
}

/** CPU milliseconds between `begin` and `end`. */
export class ProcessorTimes {
  readonly #gateways: Pids[];
  readonly #workers: Pids[];
  /** The server of queues that are not in the database. */
  readonly #queues: Pids[];
  readonly #databaseUrl: string;
  #began: Record<'ofGateways' | 'ofWorkers' | 'ofQueues' | 'ofDatabase', number> | undefined;

  constructor(gateways: Pids[], workers: Pids[], queues: Pids[], databaseUrl: string) {
    this.#gateways = gateways;
    this.#workers = workers;
    this.#queues = queues;
    this.#databaseUrl = databaseUrl;
  }

  async begin(): Promise<void> {
    this.#began = await this.#now();
  }

  async end() {
    const [began, now] = [this.#began, await this.#now()];
    if (!began) throw new Error('Call `begin` first.');
    return {
      ofGateways: now.ofGateways - began.ofGateways,
      ofWorkers: now.ofWorkers - began.ofWorkers,
      ofQueues: now.ofQueues - began.ofQueues,
      ofDatabase: now.ofDatabase - began.ofDatabase,
    };
  }

  async #now() {
    const sum = (pids: Pids[]) =>
      pids.reduce((total, { pid }) => total + (timesOf(pid)?.own ?? Number.NaN), 0);
    return {
      ofGateways: sum(this.#gateways) * MS_PER_TICK,
      ofWorkers: sum(this.#workers) * MS_PER_TICK,
      ofQueues: sum(this.#queues) * MS_PER_TICK,
      ofDatabase: ofServer(await postmasterOf(this.#databaseUrl)) * MS_PER_TICK,
    };
  }
}

/** In ticks. */
interface Times {
  parent: number;
  own: number;
  /** The time of child processes that have ended. */
  ended: number;
}

/** The time of a PostgreSQL server, with all of its processes. */
function ofServer(postmaster: number): number {
  const all = readdirSync('/proc').flatMap((name) => timesOf(Number(name)) ?? []);
  const children = all.filter(({ parent }) => parent === postmaster);
  const ended = timesOf(postmaster)?.ended ?? Number.NaN;
  return children.reduce((sum, { own }) => sum + own, ended);
}

/** The main process of a server. */
async function postmasterOf(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return timesOf(rows[0]!.pid)!.parent;
  });
}

function timesOf(pid: number): Times | null {
  if (!Number.isInteger(pid)) return null;
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The second field is a name in parentheses, which may contain anything.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, own = 0, ownOfKernel = 0, ended = 0, endedOfKernel = 0] = [
    1, 11, 12, 13, 14,
  ].map((field) => fields[field]);
  return { parent, own: own + ownOfKernel, ended: ended + endedOfKernel };
}
