import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import { ensureDatabase, startCluster, withClient } from '@proveklar/local/postgres/cluster.ts';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { migrate } from '@proveklar/services/database/migrate.ts';
import { prepareQueueBackend } from '@proveklar/services/events/queue-backend.ts';

/** A PostgreSQL server and a folder for one run, both removed afterwards. */
export interface Scratch {
  /** A folder on the same disk as the database. */
  dir: string;
  /** Creates a migrated, empty database, once for each name. Returns its URL. */
  database: (name: string) => Promise<string>;
  drop: (name: string) => Promise<void>;
  /** The superuser's URL of the same database. */
  asSuperuser: (url: string) => string;
  /** Runs a checkpoint, so that one side does not pay for dirty pages of the other. */
  checkpoint: () => Promise<void>;
  close: () => Promise<void>;
}

/** Settings of a small production server; all others, including fsync, are PostgreSQL's defaults. */
export const SERVER_SETTINGS = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  maintenance_work_mem: '256MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  // Four worker processes with their queues in PostgreSQL need more than its default of 100.
  max_connections: '300',
};

export async function startScratch(): Promise<Scratch> {
  // Not the system's temporary folder, which may be in memory: the comparison needs a disk.
  const parent = join(PROJECT_DIR, '.local');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'bench-'));
  // When this runs as root, the server runs as another account, which must be able to access its data.
  chmodSync(dir, 0o711);
  const [port = 0] = await freePorts(1);
  const { superuserUrl, child, ready } = await startCluster({
    port,
    dataDir: join(dir, 'postgres'),
    logFile: join(dir, 'postgres.log'),
    settings: SERVER_SETTINGS,
    removeAfter: [dir],
  });
  await ready;
  await ensureDatabase(superuserUrl, 'proveklar', 'createdb');
  const address = (name: string) => `postgres://proveklar:proveklar@127.0.0.1:${port}/${name}`;
  const made = new Map<string, Promise<string>>();
  const make = async (name: string) => {
    const url = address(name);
    await withClient(address('proveklar'), (client) => client.query(`create database "${name}"`));
    await migrate(url);
    await prepareQueueBackend(url);
    return url;
  };
  return {
    dir,
    async database(name) {
      const url = made.get(name) ?? make(name);
      made.set(name, url);
      return url;
    },
    async drop(name) {
      made.delete(name);
      await withClient(superuserUrl, (client) =>
        client.query(`drop database if exists "${name}" with (force)`),
      );
    },
    asSuperuser(url) {
      return Object.assign(new URL(superuserUrl), { pathname: new URL(url).pathname }).href;
    },
    async checkpoint() {
      await withClient(superuserUrl, (client) => client.query('checkpoint'));
    },
    close: () => child.stop(30_000),
  };
}
