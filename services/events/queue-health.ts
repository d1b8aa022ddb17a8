import type { Database } from '#database/pool.ts';
import { inTime } from '#lifecycle/in-time.ts';
import { readCanaryAges } from './canary.ts';
import type { QueueName } from './catalogue.ts';
import type { JobQueue, QueueBackend } from './queue-backend.ts';

/** A canary is sent every ten seconds: five of them may be late. */
const LATE_S = 60;
const POLICY_KEPT_MS = 30_000;
const PATIENCE_MS = 2_000;

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
 * every queue to its end, not whether the queue answers a ping. It asks the queues themselves only
 * where canaries are late, and for the eviction policy every half minute; it throws when the database
 * does not answer.
 */
export function createQueueHealth({ db, backend, queues }: QueueHealthDeps) {
  let policy: string | null = null;
  let policyReadAt = -Infinity;

  async function readPolicy(): Promise<string | null> {
    if (Date.now() - policyReadAt < POLICY_KEPT_MS) return policy;
    const read = await inTime(PATIENCE_MS, backend.readEvictionPolicy());
    // While it is away, what it last said holds.
    if (read === undefined) return policy;
    policyReadAt = Date.now();
    policy = read;
    return policy;
  }

  async function readFlow(name: QueueName, age: number | null): Promise<QueueFlow> {
    const state = age !== null && age <= LATE_S ? 'flowing' : await readWhyLate(queues.get(name)!);
    return { state, canaryAgeSeconds: age };
  }

  return async (): Promise<QueueHealth> => {
    const [ages, evictionPolicy] = await Promise.all([readCanaryAges(db), readPolicy()]);
    const flows = await Promise.all(
      [...ages].map(async ([name, age]) => [name, await readFlow(name, age)] as const),
    );
    const problems = flows.flatMap(([name, flow]) => describe(name, flow));
    if (evictionPolicy !== null && evictionPolicy !== 'noeviction') {
      problems.push(`Redis has maxmemory-policy ${evictionPolicy}: it must be noeviction`);
    }
    return {
      isHealthy: problems.length === 0,
      problems,
      evictionPolicy,
      queues: Object.fromEntries(flows),
    };
  };
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
