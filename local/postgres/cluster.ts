import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { runToEnd, startGuarded, type Child } from '#processes.ts';
import { untilReady } from '#until-ready.ts';
import { serverAccount, type Account } from './account.ts';
import { postgresBinaries, type PostgresBinaries } from './binaries.ts';
import { clearLeftover } from './leftover.ts';

export interface ClusterOptions {
  dataDir: string;
  port: number;
  logFile: string;
  /** Server settings, such as `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Folders to remove when the server has ended, however that came about. */
  removeAfter?: string[];
  signal?: AbortSignal;
}

export interface Cluster {
  /** The superuser's address of the `postgres` database; passwords are not secrets here. */
  superuserUrl: string;
  child: Child;
  /** Resolves when it takes connections. */
  ready: Promise<void>;
}

// Not the shell's locale: with it `lower('ÆØÅ')` might do nothing. People's sorting is `nb-x-icu`.
const INITDB_FLAGS = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--set=timezone=UTC',
  '--set=log_timezone=UTC',
];
const SUPERUSER_PASSWORD = 'postgres';

/** Starts PostgreSQL on 127.0.0.1, creating its data first where there is none. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, port, logFile } = options;
  const binaries = await postgresBinaries();
  mkdirSync(dirname(dataDir), { recursive: true });
  const account = serverAccount(dataDir, [binaries.postgres, dataDir]);
  if (existsSync(join(dataDir, 'PG_VERSION'))) await clearLeftover(dataDir);
  else await initialise(binaries, account, dataDir);

  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...options.settings,
  };
  const child = startGuarded({
    name: 'postgres',
    command: [
      ...account.prefix,
      binaries.postgres,
      '-D',
      dataDir,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    account,
    env: SERVER_ENV,
    logFile,
    stopSignals: ['SIGINT', 'SIGQUIT', 'SIGKILL'],
    removeAfter: options.removeAfter ?? [],
  });
  const superuserUrl = `postgres://postgres:${SUPERUSER_PASSWORD}@127.0.0.1:${port}/postgres`;
  const isReady = () => isConnectable(superuserUrl);
  const ready = untilReady({ child, isReady, logFile, signal: options.signal });
  return { superuserUrl, child, ready };
}

/** Makes sure that the role and its database are there; the role is no superuser. */
export async function ensureDatabase(
  superuserUrl: string,
  name: string,
  rights = '',
): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const role = await client.query('select from pg_roles where rolname = $1', [name]);
    if (role.rowCount === 0) {
      await client.query(`create role "${name}" login ${rights} password '${name}'`);
    }
    const database = await client.query('select from pg_database where datname = $1', [name]);
    if (database.rowCount === 0) {
      await client.query(`create database "${name}" owner "${name}"`);
    }
  });
}

/** Runs `work` on one connection of its own. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'proveklar local' });
  // Without a listener, a server that goes away would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

// The shell's PG… and LC_… variables must not reach the server.
const SERVER_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

async function initialise(
  { initdb }: PostgresBinaries,
  account: Account,
  dataDir: string,
): Promise<void> {
  // Under another name until it is whole: a start that was killed half-way begins anew.
  const unfinished = `${dataDir}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  account.own(unfinished);
  const passwordFile = `${dataDir}.password`;
  try {
    writeFileSync(passwordFile, `${SUPERUSER_PASSWORD}\n`, { mode: 0o600 });
    account.own(passwordFile);
    const flags = [...INITDB_FLAGS, '--no-sync', `--pwfile=${passwordFile}`];
    const command = [...account.prefix, initdb, `--pgdata=${unfinished}`, ...flags];
    await runToEnd({ name: 'initdb', command, account, env: SERVER_ENV });
    rmSync(dataDir, { recursive: true, force: true });
    renameSync(unfinished, dataDir);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function isConnectable(url: string): Promise<boolean> {
  try {
    await withClient(url, async () => {});
    return true;
  } catch {
    return false;
  }
}
