import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executableOf, findBrowser } from '@proveklar/local/find-browser.ts';
import { buildFrontend, FRONTEND_DIST, isFrontendBuilt } from '@proveklar/local/frontend.ts';
import { startIdentityEmulator } from '@proveklar/local/stand-ins.ts';
import { freePorts } from '@proveklar/local/ports.ts';
import { withClient } from '@proveklar/local/postgres/cluster.ts';
import type { Child } from '@proveklar/local/processes.ts';
import { migrate } from '@proveklar/services/database/migrate.ts';
import { launchStack, type StackAddresses } from './launch-stack.ts';
import { testPostgres, testRedis, type ServerOptions } from './servers.ts';
import type { testSettings } from './settings.ts';

export const TEST_PROJECT = 'demo-proveklar';

/** The services that test files can ask for, as in `shared('database')`. */
export const SHARED_PARTS = [
  'database',
  'redis',
  'identity',
  'frontend',
  'stack',
  'browser',
] as const;
export type SharedPart = (typeof SHARED_PARTS)[number];

export interface SharedDatabase {
  /** An address from which databases can be created. */
  adminUrl: string;
  /** The name of the template database: migrated once, and copied for each test file. */
  template: string;
}

const MIN_FREE_BYTES = 2 * 1024 ** 3;

/** The services that the test files of one run share. Each starts on the first request for it. */
export class SharedServices {
  readonly folder = mkdtempSync(join(temporaryRoot(), 'proveklar-test-'));
  readonly #children: Child[] = [];
  readonly #atEnd: (() => Promise<unknown>)[] = [];
  readonly #settings: ReturnType<typeof testSettings>;
  readonly #servers: ServerOptions;
  #redis: Promise<{ url?: string }> | undefined;
  #redisDatabases = 0;
  #database: Promise<SharedDatabase> | undefined;
  #identity: Promise<{ url: string }> | undefined;
  #frontend: Promise<{ dir: string }> | undefined;
  #stack: Promise<StackAddresses> | undefined;
  #browser: Promise<{ path: string }> | undefined;

  constructor(
    settings: ReturnType<typeof testSettings>,
    servers: Pick<ServerOptions, 'engine' | 'say'>,
  ) {
    this.#settings = settings;
    const onStart = (child: Child) => this.#children.push(child);
    this.#servers = { ...servers, folder: this.folder, onStart };
    // When root runs the tests, PostgreSQL runs as another user, which needs access to its data.
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

  /** @returns the folder of the built frontend */
  frontend(): Promise<{ dir: string }> {
    this.#frontend ??= this.#buildFrontend();
    return this.#frontend;
  }

  /** @returns the addresses of a stack that no test restarts or changes the settings of */
  stack(): Promise<StackAddresses> {
    this.#stack ??= this.#startStack();
    return this.#stack;
  }

  /** @returns the address of a database of its own in Redis; none without a Redis */
  async redis(): Promise<{ url?: string }> {
    this.#redis ??= this.#startRedis();
    const { url } = await this.#redis;
    if (!url) return {};
    // A Redis has sixteen databases, and the developer may use 0. The test that had this one 15 requests
    // ago has ended.
    const number = (this.#redisDatabases % 15) + 1;
    this.#redisDatabases += 1;
    return { url: databaseAt(url, String(number)) };
  }

  /** @returns the browser's executable */
  browser(): Promise<{ path: string }> {
    this.#browser ??= this.#findBrowser();
    return this.#browser;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#database, this.#redis, this.#identity, this.#stack]);
    for (const end of this.#atEnd.toReversed()) await end().catch(() => {});
    await Promise.all(this.#children.map((child) => child.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes the template database, by all migrations. */
  async #startDatabase(): Promise<SharedDatabase> {
    const adminUrl = this.#settings.TEST_DATABASE_URL ?? (await testPostgres(this.#servers));
    const template = `proveklar_template_${randomBytes(4).toString('hex')}`;
    await withClient(adminUrl, (client) => client.query(`create database "${template}"`));
    this.#atEnd.push(() =>
      withClient(adminUrl, (client) => client.query(`drop database "${template}" with (force)`)),
    );
    await migrate(databaseAt(adminUrl, template));
    return { adminUrl, template };
  }

  async #startRedis(): Promise<{ url?: string }> {
    return { url: this.#settings.TEST_REDIS_URL ?? (await testRedis(this.#servers)) };
  }

  async #buildFrontend(): Promise<{ dir: string }> {
    if (!isFrontendBuilt()) await buildFrontend({ PATH: this.#settings.PATH });
    return { dir: FRONTEND_DIST };
  }

  async #startStack(): Promise<StackAddresses> {
    const [{ adminUrl, template }, { url: identityUrl }, { dir: frontendDir }] = await Promise.all([
      this.database(),
      this.identity(),
      this.frontend(),
    ]);
    const name = `${template}_stack`;
    await withClient(adminUrl, (client) =>
      client.query(`create database "${name}" template "${template}" strategy file_copy`),
    );
    this.#atEnd.push(() =>
      withClient(adminUrl, (client) => client.query(`drop database "${name}" with (force)`)),
    );
    const { addresses, close } = await launchStack({
      PATH: this.#settings.PATH,
      databaseUrl: databaseAt(adminUrl, name),
      identityUrl,
      projectId: TEST_PROJECT,
      frontendDir,
    });
    this.#atEnd.push(close);
    return addresses;
  }

  async #findBrowser(): Promise<{ path: string }> {
    const found = findBrowser(this.#settings);
    if (!found) throw new Error('There is no Chromium or Chrome on this machine.');
    return { path: await executableOf(found, this.#servers.say) };
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

/** The address of another database on the same server. */
export function databaseAt(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** A folder in memory if that has room: on disk, copying a database is slow. */
function temporaryRoot(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > MIN_FREE_BYTES ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}
