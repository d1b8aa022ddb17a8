import type { JobWorker } from '@proveklar/services/events/queue-backend.ts';
import {
  createQueueHealth,
  type QueueHealthDeps,
} from '@proveklar/services/events/queue-health.ts';
import {
  checkReachable,
  checkTables,
  type HealthChecks,
} from '@proveklar/services/operations/health-checks.ts';

export interface WorkersHealthDeps extends QueueHealthDeps {
  workers: readonly JobWorker[];
}

/**
 * What must be well for a process of workers to be ready: events come through every queue to their
 * end. A gateway never asks this: it writes to the outbox and needs no queue.
 */
export function workersChecks({ workers, ...deps }: WorkersHealthDeps): HealthChecks {
  const readQueueHealth = createQueueHealth(deps);
  return {
    database: checkReachable(deps.db),
    tables: checkTables(deps.db),
    workers: async () => checkRunning(workers),
    queues: async () => (await readQueueHealth()).problems,
  };
}

function checkRunning(workers: readonly JobWorker[]): string[] {
  const idle = workers.filter((worker) => !worker.isRunning()).map(({ name }) => name);
  return idle.length > 0 ? [`no worker of this process works on ${idle.join(', ')}`] : [];
}
