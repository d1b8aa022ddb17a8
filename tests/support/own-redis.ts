import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from '@proveklar/local/ports.ts';
import type { Child } from '@proveklar/local/processes.ts';
import { startRedis } from '@proveklar/local/redis.ts';

/** A Redis that belongs to one test file, which may do anything to it. */
export interface OwnRedis {
  url: string;
  /** With its append-only file it has what it had; without, it is empty. */
  start: (withFile: boolean) => Promise<void>;
  /** It is told to end, and writes what it has. */
  shutDown: () => Promise<void>;
  /** SIGKILL. */
  kill: () => Promise<void>;
  /** One command, such as `['FLUSHALL']`. */
  command: (...words: [string, ...string[]]) => Promise<unknown>;
  close: () => Promise<void>;
}

/** Makes one; nothing runs yet. */
export async function ownRedis(): Promise<OwnRedis> {
  const [port = 0] = await freePorts(1);
  const dir = await mkdtemp(join(tmpdir(), 'proveklar-redis-'));
  const url = `redis://127.0.0.1:${port}`;
  let child: Child | undefined;
  const command: OwnRedis['command'] = async (...[name, ...words]) => {
    const redis = new Redis(url, { lazyConnect: true, retryStrategy: null });
    redis.on('error', () => {});
    try {
      await redis.connect();
      return await redis.call(name, ...words);
    } finally {
      redis.disconnect();
    }
  };
  return {
    url,
    command,
    async start(withFile) {
      const appendonly = withFile ? 'yes' : 'no';
      child = await startRedis(port, join(dir, 'redis.log'), { dir, appendonly });
    },
    shutDown: async () => child?.stop(),
    async kill() {
      child?.kill();
      await child?.ended;
    },
    async close() {
      await child?.stop();
      await rm(dir, { recursive: true });
    },
  };
}
