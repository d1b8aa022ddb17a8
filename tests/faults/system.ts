import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect } from 'vitest';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import type { TestGateway } from '#support/gateway.ts';
import type { TestMailbox } from '#support/mailbox.ts';
import { ownRedis, type OwnRedis } from '#support/own-redis.ts';
import { startProcesses, type Processes } from '../payments/processes.ts';
import { mountSmallDisk, type SmallDisk } from './disk.ts';
import { openLink, type Link } from './network.ts';
import { ownPostgres, type OwnPostgres } from './own-postgres.ts';

/** Between which process and which server a link is. */
export type LinkName = 'gateway-postgres' | 'workers-postgres' | 'workers-redis' | 'workers-relay';

/** The whole system: each part can be broken. */
export interface System {
  /** Without a link, and never used by the processes. */
  db: Database;
  postgres: OwnPostgres;
  redis: OwnRedis | null;
  /** The file system of PostgreSQL's data, or why it has none of its own. */
  disk: SmallDisk | string;
  links: Record<LinkName, Link>;
  processes: Processes;
  /** Why clocks cannot be set; null where they can. */
  clocksFixed: string | null;
  /** Ends a process and starts it with a clock that is `minutes` ahead; 0 is right. */
  setClock: (name: string, minutes: number) => Promise<void>;
  /** Heals what it can, and waits until PostgreSQL answers. */
  untilDatabaseAnswers: () => Promise<void>;
  close: () => Promise<void>;
}

export const WORKERS = ['workers-1', 'workers-2'];
/** For the data of a run of ten minutes; a write-ahead log of 64 MB is part of it. */
const DISK_MB = 600;
/** Debian's libfaketime, by the folder of the architecture. */
const FAKETIME = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`,
);

export const canSetClocks = () => FAKETIME.some(existsSync);

/** The environment of a process whose clock is so many minutes ahead. */
export function clockAhead(minutes: number): Record<string, string> {
  const library = FAKETIME.find(existsSync);
  if (minutes === 0 || !library) return {};
  const ahead = `${minutes > 0 ? '+' : ''}${minutes}m`;
  // Timers measure a duration, which a wrong clock does not change.
  return { LD_PRELOAD: library, FAKETIME: ahead, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

/** Starts it; the stand-ins and identities are those of a test's gateway, whose database is not used. */
export async function startSystem(
  gateway: TestGateway,
  mailbox: TestMailbox,
  options: { queues: 'postgres' | 'redis'; folder: string },
): Promise<System> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of opened.toReversed()) await end();
  };
  try {
    const disk = await mountSmallDisk(DISK_MB);
    if (typeof disk !== 'string') opened.push(disk.close);
    const inFolder = typeof disk === 'string' ? {} : { inFolder: disk.folder };
    const settings = { min_wal_size: '32MB', max_wal_size: '64MB' };
    const postgres = await ownPostgres({ ...inFolder, settings });
    opened.push(postgres.close);
    const redis = options.queues === 'redis' ? await ownRedis() : null;
    await redis?.start(true);
    if (redis) opened.push(redis.close);
    const targets: Record<LinkName, string> = {
      'gateway-postgres': postgres.url,
      'workers-postgres': postgres.url,
      'workers-redis': redis?.url ?? postgres.url,
      'workers-relay': mailbox.smtpUrl,
    };
    const links = {} as Record<LinkName, Link>;
    for (const [name, target] of Object.entries(targets)) {
      const link = await openLink(target);
      links[name as LinkName] = link;
      opened.push(link.close);
    }
    const db = createPool(postgres.url, { applicationName: 'test' });
    opened.push(() => db.end());

    const minutesAhead = new Map<string, number>();
    const databaseUrl = links['workers-postgres'].through(postgres.url);
    const processes = await startProcesses({
      config: {
        ...gateway.deps.config,
        PAYMENT_METHODS: 'card,vipps',
        DATABASE_URL: links['gateway-postgres'].through(postgres.url),
      },
      queueUrl: redis ? links['workers-redis'].through(redis.url) : databaseUrl,
      workers: WORKERS.length,
      environment: {
        DATABASE_URL: databaseUrl,
        SMTP_URL: links['workers-relay'].through(mailbox.smtpUrl),
        REGISTRATION_GRACE_SECONDS: '1',
        PAYMENT_METHODS: 'card,vipps',
      },
      environmentOf: (name) => clockAhead(minutesAhead.get(name) ?? 0),
      folder: options.folder,
    });
    opened.push(processes.stop);
    return {
      db,
      postgres,
      redis,
      disk,
      links,
      processes,
      clocksFixed: canSetClocks() ? null : 'libfaketime is not installed',
      async setClock(name, minutes) {
        minutesAhead.set(name, minutes);
        await processes.kill(name);
      },
      async untilDatabaseAnswers() {
        const answers = async () => {
          await postgres.revive();
          await db.query('select 1');
          return true;
        };
        await expect.poll(() => answers().catch(() => false), { interval: 50 }).toBe(true);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The files and connections that a process has open; 0 when it has ended. */
export async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
}

/** Connections to the database of each process that are open, or in a transaction. */
export async function openConnections(db: Database): Promise<Record<string, number>> {
  const { rows } = await db.query<{ name: string; n: number }>(
    `select application_name as name, count(*)::int as n from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend'
       and application_name <> 'test' group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}
