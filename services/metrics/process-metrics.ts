import type { Registry } from 'prom-client';
import type { Database } from '#database/pool.ts';
import type { QueueName } from '#events/catalogue.ts';
import type { JobQueue } from '#events/queue-backend.ts';
import type { VerifyToken } from '#identity/verify-token.ts';
import { addBusinessFigures } from './business-figures.ts';
import { cspViolations } from './csp-violations.ts';
import { addDatabaseFigures } from './database-figures.ts';
import { connectionsCut, httpDuration, httpRequests } from './http-requests.ts';
import { addQueueFigures } from './queue-figures.ts';
import { addGauge, single } from './read-gauge.ts';
import { createRegistry } from './registry.ts';
import { webhookDelay } from './webhook-delay.ts';

export interface GatewayFigures {
  version: string;
  db: Database;
  countStreams: () => number;
  /** The identity provider's. */
  keys: VerifyToken['keys'];
}

/** All figures of a gateway: what it does itself. */
export function gatewayMetrics(figures: GatewayFigures): Registry {
  const { version, db, countStreams, keys } = figures;
  const registry = createRegistry({ kind: 'gateway', version });
  addDatabaseFigures(registry, db);
  registry.registerMetric(httpRequests);
  registry.registerMetric(httpDuration);
  registry.registerMetric(connectionsCut);
  registry.registerMetric(webhookDelay);
  registry.registerMetric(cspViolations);
  addGauge(registry, {
    name: 'proveklar_live_streams',
    help: 'Browsers that hear of changes by a stream of this process',
    read: async () => [{ value: countStreams() }],
  });
  addGauge(registry, {
    name: 'proveklar_identity_keys_age_seconds',
    help: "Since the identity provider's signing keys were last fetched (never yet: since the start); renewed every 10 minutes",
    read: async () => {
      // In the background: their age now is what is asked for. At night nobody else asks for them.
      void keys.renew().catch(() => {});
      return single(keys.ageSeconds());
    },
  });
  return registry;
}

export interface WorkersFigures {
  version: string;
  db: Database;
  queues: ReadonlyMap<QueueName, JobQueue>;
}

/**
 * All figures of a process of workers: what it does itself, and what is one for the whole service and
 * read from the database. Each process of workers says the latter, so they are not to be summed.
 */
export function workersMetrics({ version, db, queues }: WorkersFigures): Registry {
  const registry = createRegistry({ kind: 'workers', version });
  addDatabaseFigures(registry, db);
  addQueueFigures(registry, db, queues);
  addBusinessFigures(registry, db);
  registry.registerMetric(webhookDelay);
  return registry;
}
