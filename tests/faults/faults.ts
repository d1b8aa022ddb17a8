import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#support/random.ts';
import { WORKERS, type LinkName, type System } from './system.ts';

/** What a fault breaks or needs: two faults of one part would mend each other, or fail. */
type Part = 'gateway' | 'worker' | 'postgres' | 'redis' | 'relay' | 'clients' | LinkName;

/** Breaks something, waits, and mends it. */
export interface Fault {
  name: string;
  parts: readonly Part[];
  /** Why it cannot be made here; null when it can. */
  notHere?: (system: System) => string | null;
  run: (system: System, random: Random) => Promise<void>;
}

const POISON = `insert into outbox (name, payload) values ('answer.submitted', '{"quiz_id": "poison"}')`;

const onlyRedis = ({ redis }: System) => (redis ? null : 'the queues are in PostgreSQL');
const needsClocks = ({ clocksFixed }: System) => clocksFixed;
const needsDisk = ({ disk }: System) => (typeof disk === 'string' ? disk : null);

type Process = 'gateway' | 'worker';
const NAMES = { gateway: ['gateway'], worker: WORKERS } as const;
const WORDS = { gateway: 'the gateway', worker: 'a worker' } as const;
const oneOf = (names: readonly string[], random: Random) => names[random.below(names.length)]!;

const kill = (what: Process): Fault => ({
  name: `SIGKILL of ${WORDS[what]}`,
  parts: [what],
  run: ({ processes }, random) => processes.kill(oneOf(NAMES[what], random)),
});

/** Longer than a job's lock: another worker takes the job, and then the first one goes on with it. */
const stop = (what: Process, ms: number): Fault => ({
  name: `SIGSTOP of ${WORDS[what]} for ${ms / 1000} s`,
  parts: [what],
  async run({ processes }, random) {
    const pid = processes.pid(oneOf(NAMES[what], random));
    process.kill(pid, 'SIGSTOP');
    await sleep(ms);
    process.kill(pid, 'SIGCONT');
  },
});

const restart = (how: 'fast' | 'immediate'): Fault => ({
  name: `PostgreSQL restarted (${how})`,
  parts: ['postgres'],
  run: ({ postgres }) => postgres.restart(how, 1_500),
});

const onLinks = (
  name: string,
  links: readonly LinkName[],
  breaks: (link: System['links'][LinkName]) => void,
  ms = 5_000,
): Fault => ({
  name,
  parts: links,
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
  parts: ['redis'],
  notHere: onlyRedis,
  run: async (system) => void (await run(system.redis!)),
});

const clock = (what: Process, minutes: number): Fault => ({
  name: `clock of ${WORDS[what]} ${minutes > 0 ? '+' : '−'}${Math.abs(minutes)} min`,
  parts: [what],
  notHere: needsClocks,
  async run(system, random) {
    const name = oneOf(NAMES[what], random);
    await system.setClock(name, minutes);
    await sleep(8_000);
    await system.setClock(name, 0);
  },
});

const BOTH: LinkName[] = ['gateway-postgres', 'workers-postgres'];

/** Everything that the system is broken with. */
const FAULTS: readonly Fault[] = [
  kill('gateway'),
  kill('worker'),
  stop('gateway', 3_000),
  stop('worker', 12_000),
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
    parts: ['postgres'],
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
    parts: ['clients'],
    run: ({ processes }) => floodWith(Number(new URL(processes.url).port)),
  },
  {
    name: 'poison event',
    parts: ['postgres'],
    run: async ({ db }) => void (await db.query(POISON)),
  },
  clock('gateway', 10),
  clock('gateway', -10),
  clock('worker', 10),
  clock('worker', -10),
];

/** The share of faults that another one is added to, which begins at most so much later. */
const PAIRED = 1 / 3;
const MAX_APART_MS = 2_000;

/**
 * The faults that can be made here, in the order of the run: each once before one comes again, some two at a time.
 * The same for the same seed.
 */
export function* faultsInOrder(system: System, random: Random): Generator<Fault> {
  const notMade = faultsNotMade(system);
  const possible = FAULTS.filter(({ name }) => !notMade.has(name));
  for (;;) {
    const left = [...possible];
    const take = (of: readonly Fault[]) => {
      const fault = of[random.below(of.length)]!;
      left.splice(left.indexOf(fault), 1);
      return fault;
    };
    while (left.length > 0) {
      const first = take(left);
      const others = left.filter(({ parts }) => !parts.some((part) => first.parts.includes(part)));
      yield random.chance(PAIRED) && others.length > 0 ? together(first, take(others)) : first;
    }
  }
}

/** The reason why not, by the names of the faults that cannot be made here. */
export function faultsNotMade(system: System): Map<string, string> {
  const reasons = FAULTS.map(({ name, notHere }) => [name, notHere?.(system) ?? null] as const);
  return new Map(reasons.filter((one): one is [string, string] => one[1] !== null));
}

/** Both, the second one from a moment after the first has begun: while it lasts, or while the system recovers from it. */
function together(first: Fault, second: Fault): Fault {
  return {
    name: `${first.name} + ${second.name}`,
    parts: [...first.parts, ...second.parts],
    async run(system, random) {
      const apart = random.below(MAX_APART_MS);
      await Promise.all([
        first.run(system, random),
        sleep(apart).then(() => second.run(system, random)),
      ]);
    },
  };
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
