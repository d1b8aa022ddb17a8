import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@proveklar/local/ports.ts';
import { ensureDatabase, startCluster } from '@proveklar/local/postgres/cluster.ts';
import type { Child } from '@proveklar/local/processes.ts';
import { migrate } from '@proveklar/services/database/migrate.ts';
import { prepareQueueBackend } from '@proveklar/services/events/queue-backend.ts';

/** PostgreSQL's shutdown modes: `fast` aborts running statements, `immediate` also skips the cleanup. */
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
export type Shutdown = keyof typeof SIGNALS;

/** A PostgreSQL server for one test file, which may stop it. */
export interface OwnPostgres {
  /** The address of a migrated database, with the queues. */
  url: string;
  /** Stops the server, and starts it again after `downMs`. */
  restart: (shutdown: Shutdown, downMs: number) => Promise<void>;
  /** Starts the server if it has ended, as a supervisor would. @returns whether it had */
  revive: () => Promise<boolean>;
  close: () => Promise<void>;
}

/**
 * @param options.inFolder where its data is; in a new folder by default
 * @param options.settings of the server, such as `{ max_wal_size: '64MB' }`
 */
export async function ownPostgres(
  options: { inFolder?: string; settings?: Record<string, string> } = {},
): Promise<OwnPostgres> {
  const [port = 0] = await freePorts(1);
  const folder = await mkdtemp(join(options.inFolder ?? tmpdir(), 'proveklar-postgres-'));
  // When root runs the tests, PostgreSQL runs as another user, which needs access to its data.
  await chmod(folder, 0o711);
  let child: Child;
  let hasEnded = false;
  const start = async () => {
    const cluster = await startCluster({
      port,
      dataDir: join(folder, 'data'),
      logFile: join(folder, 'postgres.log'),
      settings: { max_connections: '200', ...options.settings },
    });
    child = cluster.child;
    hasEnded = false;
    void cluster.child.ended.then(() => {
      if (child === cluster.child) hasEnded = true;
    });
    await cluster.ready;
    return cluster.superuserUrl;
  };
  const superuserUrl = await start();
  await ensureDatabase(superuserUrl, 'proveklar');
  const url = `postgres://proveklar:proveklar@127.0.0.1:${port}/proveklar`;
  await migrate(url);
  await prepareQueueBackend(url);
  return {
    url,
    async restart(shutdown, downMs) {
      const [, server] = child.pids;
      process.kill(server!, SIGNALS[shutdown]);
      await child.ended;
      await new Promise((resolve) => setTimeout(resolve, downMs));
      await start();
    },
    async revive() {
      if (!hasEnded) return false;
      await start();
      return true;
    },
    async close() {
      await child.stop();
      await rm(folder, { recursive: true });
    },
  };
}
