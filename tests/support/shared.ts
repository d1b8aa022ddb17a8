import { inject } from 'vitest';
import type { SharedPart } from './shared-services.ts';

/** What the run shares among its test files, started when the first of them asks. */
export async function shared<T>(part: SharedPart): Promise<T> {
  const response = await fetch(`${inject('sharedServicesUrl')}/${part}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/**
 * The queue back ends of this run, for `describe.each`: PostgreSQL always, Redis where there is one
 * to be had. A PostgreSQL queue lies in the test's own database, so its address is not known here.
 */
export async function queueBackends(): Promise<
  { name: 'postgres' | 'redis'; redisUrl?: string }[]
> {
  const { url: redisUrl } = await shared<{ url?: string }>('redis');
  return [{ name: 'postgres' }, ...(redisUrl ? [{ name: 'redis' as const, redisUrl }] : [])];
}
