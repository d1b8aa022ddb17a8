import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import { ensureDatabase, startCluster } from '@proveklar/local/postgres/cluster.ts';
import type { Child } from '@proveklar/local/processes.ts';
import { hasRedis, startRedis } from '@proveklar/local/redis.ts';
import { IMAGES } from './containers/images.ts';
import { startContainer } from './containers/start-container.ts';

export interface ServerOptions {
  /** The Docker engine to run containers on, as in DOCKER_HOST; undefined where there is none. */
  engine: string | undefined;
  /** Where data and logs are written. */
  folder: string;
  /** Called with each process that is to be stopped at the end. */
  onStart: (child: Child) => void;
  /** Writes one line for the person at the terminal. */
  say: (line: string) => void;
}

// A test's data need not survive a power cut. Without these, copying the template database takes half
// as long.
const NOT_DURABLE = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  scram_iterations: '1',
};

/** @returns the address of a PostgreSQL for the tests: in a container, else embedded */
export async function testPostgres(options: ServerOptions): Promise<string> {
  const container = await tryContainer('postgres', 'embedded PostgreSQL', options);
  const superuserUrl = container ?? (await embeddedPostgres(options));
  // The tests' role may create databases and nothing more; in production it may do no more either.
  await ensureDatabase(superuserUrl, 'proveklar', 'createdb');
  return `postgres://proveklar:proveklar@${new URL(superuserUrl).host}/proveklar`;
}

/** @returns the address of a Redis: in a container, else the installed one; undefined without either */
export async function testRedis(options: ServerOptions): Promise<string | undefined> {
  const fallback = hasRedis() ? 'redis-server' : undefined;
  const url = await tryContainer('redis', fallback ?? 'none', options);
  if (url || !fallback) return url;
  const [port = 0] = await freePorts(1);
  options.onStart(await startRedis(port, join(options.folder, 'redis.log')));
  return `redis://127.0.0.1:${port}`;
}

const ROLES = { postgres: 'Database', redis: 'Redis' };

/** Starts the server in a container if it can, and says in one line which server is used. */
async function tryContainer(
  name: 'postgres' | 'redis',
  fallback: string,
  { engine, folder, onStart, say }: ServerOptions,
): Promise<string | undefined> {
  if (!engine) {
    say(`${ROLES[name]}: ${fallback}.`);
    return undefined;
  }
  try {
    const env = { ...process.env, DOCKER_HOST: engine };
    const { url, child } = await startContainer(name, folder, env);
    onStart(child);
    say(`${ROLES[name]}: ${IMAGES[name]} in Docker.`);
    return url;
  } catch (error) {
    const reason = String(error).trimEnd().split('\n').at(-1) ?? '';
    say(`${ROLES[name]}: ${fallback}. Docker does not run ${IMAGES[name]} (${reason}).`);
    return undefined;
  }
}

async function embeddedPostgres({ folder, onStart }: ServerOptions): Promise<string> {
  const [port = 0] = await freePorts(1);
  const { superuserUrl, child, ready } = await startCluster({
    port,
    dataDir: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    settings: { ...NOT_DURABLE, max_connections: '300' },
    removeAfter: [folder],
  });
  onStart(child);
  await ready;
  return superuserUrl;
}
