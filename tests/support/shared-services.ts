import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFrontend, FRONTEND_DIST, isFrontendBuilt } from '@proveklar/local/frontend.ts';
import { startIdentityEmulator } from '@proveklar/local/identity/emulator.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import { ensureDatabase, startCluster, withClient } from '@proveklar/local/postgres/cluster.ts';
import type { Child } from '@proveklar/local/processes.ts';
import { startRedis } from '@proveklar/local/redis.ts';
import { migrate } from '@proveklar/services/database/migrate.ts';

export const TEST_PROJECT = 'demo-proveklar';

/** What test files can ask for: `shared('database')`. */
export const SHARED_PARTS = ['database', 'identity', 'frontend'] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

export interface SharedDatabase {
  /** An address from which databases can be created. */
  adminUrl: string;
  /** The migrated database that each test file gets a copy of. */
  template: string;
}

const PLENTY_BYTES = 2 * 1024 ** 3;
// A test's data need not survive a power cut: without these, a copy of the template takes half as long.
const HASTY = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/** What the test files of one run share. Each part starts when it is first asked for. */
export class SharedServices {
  readonly folder = mkdtempSync(join(temporaryRoot(), 'proveklar-test-'));
  readonly #children: Child[] = [];
  readonly #atEnd: (() => Promise<unknown>)[] = [];
  readonly #givenDatabaseUrl: string | undefined;
  readonly #path: string;
  #database: Promise<SharedDatabase> | undefined;
  #identity: Promise<{ url: string }> | undefined;
  #frontend: Promise<{ dir: string }> | undefined;

  constructor(givenDatabaseUrl: string | undefined, path: string) {
    this.#givenDatabaseUrl = givenDatabaseUrl;
    this.#path = path;
    // Under root, PostgreSQL runs under another account, which has to get through to its data.
    chmodSync(this.folder, 0o711);
  }

  database(): Promise<SharedDatabase> {
    this.#database ??= this.#startDatabase();
    return this.#database;
  }

  identity(): Promise<{ url: string }> {
    this.#identity ??= this.#startIdentity();
    return this.#identity;
  }

  /** @returns where the built frontend lies */
  frontend(): Promise<{ dir: string }> {
    this.#frontend ??= this.#buildFrontend();
    return this.#frontend;
  }

  /** @returns its address */
  async redis(): Promise<string> {
    const [port = 0] = await freePorts(1);
    this.#children.push(await startRedis(port, join(this.folder, 'redis.log')));
    return `redis://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#database, this.#identity]);
    for (const end of this.#atEnd) await end().catch(() => {});
    await Promise.all(this.#children.map((child) => child.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #startDatabase(): Promise<SharedDatabase> {
    const adminUrl = this.#givenDatabaseUrl ?? (await this.#startCluster());
    const template = `proveklar_template_${randomBytes(4).toString('hex')}`;
    await withClient(adminUrl, (client) => client.query(`create database "${template}"`));
    this.#atEnd.push(() =>
      withClient(adminUrl, (client) => client.query(`drop database "${template}" with (force)`)),
    );
    await migrate(databaseAt(adminUrl, template));
    return { adminUrl, template };
  }

  async #startCluster(): Promise<string> {
    const [port = 0] = await freePorts(1);
    const { superuserUrl, child, ready } = await startCluster({
      port,
      dataDir: join(this.folder, 'postgres'),
      logFile: join(this.folder, 'postgres.log'),
      settings: { ...HASTY, max_connections: '300' },
      removeAfter: [this.folder],
    });
    this.#children.push(child);
    await ready;
    // The tests' role may create databases and nothing more, as little as in production.
    await ensureDatabase(superuserUrl, 'proveklar', 'createdb');
    return `postgres://proveklar:proveklar@127.0.0.1:${port}/proveklar`;
  }

  async #buildFrontend(): Promise<{ dir: string }> {
    if (!isFrontendBuilt()) await buildFrontend({ PATH: this.#path });
    return { dir: FRONTEND_DIST };
  }

  async #startIdentity(): Promise<{ url: string }> {
    const [port = 0] = await freePorts(1);
    const logFile = join(this.folder, 'identity.log');
    const order = { host: '127.0.0.1', port, projectId: TEST_PROJECT, logFile };
    const { url, child, ready } = startIdentityEmulator(order);
    this.#children.push(child);
    await ready;
    return { url };
  }
}

/** The same server, another database. */
export function databaseAt(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Memory where there is plenty of it: the disk is what makes copies of a database slow. */
function temporaryRoot(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > PLENTY_BYTES ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}
