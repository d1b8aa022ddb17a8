import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#support/random.ts';
import { WORKERS, type LinkName, type System } from './system.ts';

/** Breaks something, waits, and mends it. */
export interface Fault {
  name: string;
  /** Why it cannot be made here; null when it can. */
  notHere?: (system: System) => string | null;
  run: (system: System, random: Random) => Promise<void>;
}

const POISON = `insert into outbox (name, payload) values ('answer.submitted', '{"quiz_id": "poison"}')`;

const onlyRedis = ({ redis }: System) => (redis ? null : 'the queues are in PostgreSQL');
const needsClocks = ({ clocksFixed }: System) => clocksFixed;
const needsDisk = ({ disk }: System) => (typeof disk === 'string' ? disk : null);
const oneOf = (names: readonly string[], random: Random) => names[random.below(names.length)]!;

const kill = (what: string, names: readonly string[]): Fault => ({
  name: `SIGKILL of ${what}`,
  run: ({ processes }, random) => processes.kill(oneOf(names, random)),
});

/** Longer than a job's lock: another worker takes the job, and then the first one goes on with it. */
const stop = (what: string, names: readonly string[], ms: number): Fault => ({
  name: `SIGSTOP of ${what} for ${ms / 1000} s`,
  async run({ processes }, random) {
    const pid = processes.pid(oneOf(names, random));
    process.kill(pid, 'SIGSTOP');
    await sleep(ms);
    process.kill(pid, 'SIGCONT');
  },
});

const restart = (how: 'fast' | 'immediate'): Fault => ({
  name: `PostgreSQL restarted (${how})`,
  run: ({ postgres }) => postgres.restart(how, 1_500),
});

const onLinks = (
  name: string,
  links: readonly LinkName[],
  breaks: (link: System['links'][LinkName]) => void,
  ms = 5_000,
): Fault => ({
  name,
  notHere: (system) => (links.includes('workers-redis') ? onlyRedis(system) : null),
  async run(system) {
    for (const link of links) breaks(system.links[link]);
    await sleep(ms);
    for (const link of links) system.links[link].heal();
  },
});

const redis = (
  name: string,
  run: (redis: NonNullable<System['redis']>) => Promise<unknown>,
): Fault => ({
  name: `Redis ${name}`,
  notHere: onlyRedis,
  run: async (system) => void (await run(system.redis!)),
});

const clock = (what: string, names: readonly string[], minutes: number): Fault => ({
  name: `clock of ${what} ${minutes > 0 ? '+' : '−'}${Math.abs(minutes)} min`,
  notHere: needsClocks,
  async run(system, random) {
    const name = oneOf(names, random);
    await system.setClock(name, minutes);
    await sleep(8_000);
    await system.setClock(name, 0);
  },
});

const GATEWAY = ['gateway'];
const BOTH: LinkName[] = ['gateway-postgres', 'workers-postgres'];

/** Everything that the system is broken with. */
const FAULTS: readonly Fault[] = [
  kill('the gateway', GATEWAY),
  kill('a worker', WORKERS),
  stop('the gateway', GATEWAY, 3_000),
  stop('a worker', WORKERS, 12_000),
  restart('fast'),
  restart('immediate'),
  redis('killed', async (server) => {
    await server.kill();
    await server.start(true);
  }),
  redis('flushed', (server) => server.command('FLUSHALL')),
  redis('full for 4 s', async (server) => {
    await server.command('CONFIG', 'SET', 'maxmemory', '1');
    await sleep(4_000);
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
  }),
  redis('evicting for 4 s', async (server) => {
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random');
    await server.command('CONFIG', 'SET', 'maxmemory', '1500kb');
    await sleep(4_000);
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  }),
  {
    name: 'disk full for 5 s',
    notHere: needsDisk,
    async run({ disk, postgres }) {
      if (typeof disk === 'string') return;
      disk.fill();
      await sleep(5_000);
      disk.empty();
      await postgres.revive();
    },
  },
  onLinks('gateway cut from PostgreSQL', ['gateway-postgres'], (link) => link.cut()),
  onLinks('workers cut from PostgreSQL', ['workers-postgres'], (link) => link.cut()),
  onLinks('PostgreSQL 100 ms away', BOTH, (link) => link.delay(100)),
  onLinks('nothing reaches PostgreSQL', BOTH, (link) => link.hold('client')),
  onLinks('nothing comes back from PostgreSQL', BOTH, (link) => link.hold('server')),
  onLinks('workers cut from Redis', ['workers-redis'], (link) => link.cut()),
  onLinks('nothing comes back from Redis', ['workers-redis'], (link) => link.hold('server')),
  onLinks('mail relay hung', ['workers-relay'], (link) => link.hold('server'), 8_000),
  onLinks('mail relay cut', ['workers-relay'], (link) => link.cut()),
  {
    name: 'slow, silent and pipelining clients',
    run: ({ processes }) => floodWith(Number(new URL(processes.url).port)),
  },
  {
    name: 'poison event',
    run: async ({ db }) => void (await db.query(POISON)),
  },
  clock('the gateway', GATEWAY, 10),
  clock('the gateway', GATEWAY, -10),
  clock('a worker', WORKERS, 10),
  clock('a worker', WORKERS, -10),
];

/** The faults in the order of the run: each once before one comes again. The same for the same seed. */
export function* faultsInOrder(random: Random): Generator<Fault> {
  for (;;) {
    const left = [...FAULTS];
    while (left.length > 0) yield left.splice(random.below(left.length), 1)[0]!;
  }
}

/** 100 clients that send half of a head, 100 that send nothing, and 20 that send 200 requests and read nothing. */
async function floodWith(port: number): Promise<void> {
  const sockets: Socket[] = [];
  const open = (count: number, text: string) => {
    for (let n = 0; n < count; n += 1) {
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('error', () => {});
      sockets.push(socket.pause());
    }
  };
  open(100, 'GET / HTTP/1.1\r\nhost: ');
  open(100, '');
  open(20, 'GET /api/v1/topics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(200));
  await sleep(5_000);
  for (const socket of sockets) socket.destroy();
}
