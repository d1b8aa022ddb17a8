import { isReachable } from '@proveklar/services/database/is-reachable.ts';
import { compareMigrations } from '@proveklar/services/database/migrate.ts';
import {
  createQueueHealth,
  type QueueHealth,
  type QueueHealthDeps,
} from '@proveklar/services/events/queue-health.ts';
import type { JobWorker } from '@proveklar/services/events/queue-backend.ts';
import { inTime } from '@proveklar/services/lifecycle/in-time.ts';

const PATIENCE_MS = 5_000;

/** Whether a process of workers does its work, as the operators' listener answers it. */
export interface Readiness {
  isReady: boolean;
  /** What is wrong, in words; empty when nothing is. */
  problems: string[];
  database: boolean;
  /** Null when it could not be found out. */
  queues: QueueHealth | null;
}

export interface ReadinessDeps extends QueueHealthDeps {
  workers: readonly JobWorker[];
}

/**
 * Makes the reading: the database answers and has this version's tables, all workers of this process
 * run, and events come through every queue. A gateway never asks this: it writes to the outbox and
 * needs no queue.
 */
export function createReadiness(deps: ReadinessDeps): () => Promise<Readiness> {
  const readQueueHealth = createQueueHealth(deps);
  let isMigrated = false;

  return async () => {
    const database = (await inTime(PATIENCE_MS, isReachable(deps.db))) === true;
    if (!database) {
      const problems = ['the database does not answer'];
      return { isReady: false, problems, database, queues: null };
    }
    const [missing, queues] = await Promise.all([
      isMigrated
        ? []
        : inTime(
            PATIENCE_MS,
            compareMigrations(deps.db).then((all) => all.missing),
          ),
      inTime(PATIENCE_MS, readQueueHealth()),
    ]);
    isMigrated ||= missing?.length === 0;
    const idle = deps.workers.filter((worker) => !worker.isRunning()).map(({ name }) => name);
    const problems = [
      ...describeMissing(missing),
      ...(idle.length > 0 ? [`no worker of this process works on ${idle.join(', ')}`] : []),
      ...(queues?.problems ?? ['whether events come through the queues could not be read']),
    ];
    return {
      isReady: problems.length === 0,
      problems,
      database,
      queues: queues ?? null,
    };
  };
}

function describeMissing(missing: string[] | undefined): string[] {
  if (!missing) return ['whether the database has its tables could not be read'];
  return missing.length > 0 ? [`the database lacks ${missing.join(', ')}`] : [];
}
