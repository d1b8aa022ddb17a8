import type { Database } from '#database/pool.ts';
import { inTime } from '#lifecycle/in-time.ts';
import { readCanaryAges } from './canary.ts';
import type { QueueName } from './catalogue.ts';
import type { JobQueue, QueueBackend } from './queue-backend.ts';

/** A canary is sent every ten seconds: five of them may be late. */
const LATE_S = 60;
const PATIENCE_MS = 1_000;

/** How one queue is: `busy` and `paused` hold a canary up, and nothing is wrong. */
export interface QueueFlow {
  state: 'flowing' | 'busy' | 'paused' | 'stuck';
  /** Seconds since a canary came through; null when none ever has. */
  canaryAgeSeconds: number | null;
}

export interface QueueHealth {
  isHealthy: boolean;
  /** What is wrong, in words; empty when nothing is. */
  problems: string[];
  /** What Redis does when its memory is full; null for PostgreSQL and where Redis does not say. */
  evictionPolicy: string | null;
  queues: Record<string, QueueFlow>;
}

export interface QueueHealthDeps {
  db: Database;
  backend: Pick<QueueBackend, 'readEvictionPolicy'>;
  queues: ReadonlyMap<QueueName, JobQueue>;
}

/**
 * Makes the reading of the queues' health for a process of workers: whether events lately came through
 * every queue to its end, which a queue that answers a ping may not do for hours. Each queue is asked
 * only where its canaries are late. It throws when the database does not answer.
 */
export function createQueueHealth({ db, backend, queues }: QueueHealthDeps) {
  return async (): Promise<QueueHealth> => {
    const [ages, evictionPolicy] = await Promise.all([
      readCanaryAges(db),
      inTime(PATIENCE_MS, backend.readEvictionPolicy()),
    ]);
    const flows = await Promise.all(
      [...queues].map(
        async ([name, queue]) => [name, await readFlow(queue, ages.get(name) ?? null)] as const,
      ),
    );
    const problems = [
      ...judgePolicy(evictionPolicy),
      ...flows.flatMap(([name, flow]) => describe(name, flow)),
    ];
    return {
      isHealthy: problems.length === 0,
      problems,
      evictionPolicy: evictionPolicy ?? null,
      queues: Object.fromEntries(flows),
    };
  };
}

/** What is wrong with a Redis of this policy; undefined when it did not say it in time. */
export function judgePolicy(policy: string | null | undefined): string[] {
  if (policy === undefined) return ['Redis does not answer: events wait in the outbox'];
  if (policy === null || policy === 'noeviction') return [];
  return [`Redis has maxmemory-policy ${policy}, and would throw jobs away: set noeviction`];
}

async function readFlow(queue: JobQueue, age: number | null): Promise<QueueFlow> {
  const isFresh = age !== null && age <= LATE_S;
  return { state: isFresh ? 'flowing' : await readWhyLate(queue), canaryAgeSeconds: age };
}

async function readWhyLate(queue: JobQueue): Promise<QueueFlow['state']> {
  const [isPaused, counts] = await Promise.all([
    inTime(PATIENCE_MS, queue.isPaused()),
    inTime(PATIENCE_MS, queue.getJobCounts('active')),
  ]);
  if (isPaused) return 'paused';
  return (counts?.active ?? 0) > 0 ? 'busy' : 'stuck';
}

function describe(name: string, { state, canaryAgeSeconds: age }: QueueFlow): string[] {
  if (state !== 'stuck') return [];
  const since = age === null ? 'yet' : `for ${Math.round(age)} s`;
  return [`nothing has come through the queue ${name} ${since}`];
}
