import { Redis } from 'ioredis';
import { expect, inject } from 'vitest';
import { bySize } from './settings.ts';
import type { SharedPart } from './shared-services.ts';

/** A service that the run's test files share; the first request starts it. */
export async function shared<T>(part: SharedPart): Promise<T> {
  const response = await fetch(`${inject('sharedServicesUrl')}/${part}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

export type QueueBackends = { name: 'postgres' | 'redis'; redisUrl?: string }[];

/**
 * The queue back ends of this run, for `describe.each`: PostgreSQL; with LARGE=1 or FULL=1 also Redis, if there is
 * one, with an empty database for each caller. A PostgreSQL queue is in the test's own database, so its address is
 * not known here. With LARGE=1, a file that `npm test` runs on PostgreSQL is run on Redis alone.
 */
export async function queueBackends(): Promise<QueueBackends> {
  const size = bySize({ quick: 'quick', large: 'large', full: 'full' });
  if (size === 'quick') return [{ name: 'postgres' }];
  const { url: redisUrl } = await shared<{ url?: string }>('redis');
  if (!redisUrl) return [{ name: 'postgres' }];
  const redis = new Redis(redisUrl);
  await redis.flushdb();
  await redis.quit();
  const isRunOnPostgres = size === 'large' && !expect.getState().testPath?.includes('.large.');
  return [...(isRunOnPostgres ? [] : [{ name: 'postgres' } as const]), { name: 'redis', redisUrl }];
}
