import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import { ensureDatabase, startCluster, withClient } from '@proveklar/local/postgres/cluster.ts';
import { PROJECT_DIR } from '@proveklar/local/settings.ts';
import { migrate } from '@proveklar/services/database/migrate.ts';
import { prepareQueueBackend } from '@proveklar/services/events/queue-backend.ts';

/** A PostgreSQL and a folder for one run; both are gone after it. */
export interface Scratch {
  /** Room for files, on the same disk as the database. */
  dir: string;
  /** A new, migrated, empty database. Returns its address; the same name gives it again. */
  database: (name: string) => Promise<string>;
  drop: (name: string) => Promise<void>;
  /** The superuser's address of the same database. */
  asSuperuser: (url: string) => string;
  /** So that one side does not pay for the pages that the other left to be written. */
  checkpoint: () => Promise<void>;
  close: () => Promise<void>;
}

/** As a small production server is set; everything else, fsync too, is PostgreSQL's default. */
export const SERVER_SETTINGS = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  maintenance_work_mem: '256MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  // Four worker processes whose queues are in PostgreSQL want more than its default of 100.
  max_connections: '300',
};

export async function startScratch(): Promise<Scratch> {
  // Not the system's temporary folder, which may be memory: a disk is what is to be compared.
  const parent = join(PROJECT_DIR, '.local');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'bench-'));
  // Under root the server runs under another account, which has to get through to its data.
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
