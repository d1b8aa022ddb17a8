import { Redis } from 'ioredis';
import { expect, inject } from 'vitest';
import { randomFor } from './random.ts';
import { bySize, testSeed } from './settings.ts';
import type { SharedPart } from './shared-services.ts';

/** A service that the run's test files share; the first request starts it. */
export async function shared<T>(part: SharedPart): Promise<T> {
  const response = await fetch(`${inject('sharedServicesUrl')}/${part}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

export type QueueBackends = { name: 'postgres' | 'redis'; redisUrl?: string }[];

/**
 * The queue back ends of this run, for `describe.each`: PostgreSQL; with FULL=1 also Redis, if there is one. With
 * LARGE=1 it is one of them: Redis for a file that `npm test` runs on PostgreSQL, else the one that the file's seed
 * draws. A Redis database is empty for each caller. A PostgreSQL queue is in the test's own database, so its address
 * is not known here.
 */
export async function queueBackends(): Promise<QueueBackends> {
  const postgres = { name: 'postgres' } as const;
  const size = bySize({ quick: 'quick', large: 'large', full: 'full' });
  if (size === 'quick') return [postgres];
  const { url: redisUrl } = await shared<{ url?: string }>('redis');
  if (!redisUrl) return [postgres];
  const client = new Redis(redisUrl);
  await client.flushdb();
  await client.quit();
  const redis = { name: 'redis', redisUrl } as const;
  if (size === 'full') return [postgres, redis];
  if (!expect.getState().testPath?.includes('.large.')) return [redis];
  return randomFor(testSeed('this queue'), 'queue').chance(0.5) ? [postgres] : [redis];
}
