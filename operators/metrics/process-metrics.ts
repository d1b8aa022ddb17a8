import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import {
  connectionsCut,
  databaseErrors,
  httpDuration,
  httpRequests,
  importRows,
  webhookDelay,
} from '@proveklar/services/counters/counters.ts';
import { cspViolations } from '@proveklar/services/counters/csp-violations.ts';
import { backupAgeSeconds } from '@proveklar/services/database/check-database.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { QueueName } from '@proveklar/services/events/catalogue.ts';
import type { JobQueue } from '@proveklar/services/events/queue-backend.ts';
import { CUT_REASONS } from '@proveklar/services/http/bounded-server.ts';
import type { VerifyToken } from '@proveklar/services/identity/verify-token.ts';
import { countImports } from '@proveklar/services/imports/read-imports.ts';
import { countAttention } from '@proveklar/services/payments/incoming/reconcile.ts';
import { readLastWebhook } from '@proveklar/services/payments/incoming/stripe-events.ts';
import { addQueueFigures } from './queue-figures.ts';
import { addGauge, kept, single } from './read-gauge.ts';

// A rate cannot be told from a series that begins at 1.
for (const reason of CUT_REASONS) connectionsCut.inc({ reason }, 0);

interface GatewayFigures {
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
      // In the background: their age now is what is asked for. At night no request asks for them.
      void keys.refresh().catch(() => {});
      return single(keys.ageSeconds());
    },
  });
  return registry;
}

interface WorkersFigures {
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

/** Makes the registry of a process: with what Node says of itself, and which version runs. */
export function createRegistry(labels: { kind: 'gateway' | 'workers'; version: string }): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'proveklar_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'kind'],
    registers: [registry],
  }).set(labels, 1);
  return registry;
}

/** Adds what a process says of its connections to the database. */
function addDatabaseFigures(registry: Registry, db: Database): void {
  registry.registerMetric(databaseErrors);
  addGauge(registry, {
    name: 'proveklar_db_pool_connections',
    help: 'Open connections of the process',
    labelNames: ['state'],
    read: async () => [
      { labels: { state: 'idle' }, value: db.idleCount },
      { labels: { state: 'busy' }, value: db.totalCount - db.idleCount },
    ],
  });
  addGauge(registry, {
    name: 'proveklar_db_pool_waiting',
    help: 'Callers that wait for a connection: more than a few for long, and the pool is too small',
    read: async () => [{ value: db.waitingCount }],
  });
}

/** Adds what an operator must know of payments, imports and backups, from the database. */
function addBusinessFigures(registry: Registry, db: Database): void {
  registry.registerMetric(importRows);
  const imports = kept(() => countImports(db));
  const attention = kept(() => countAttention(db));
  const lastWebhook = kept(() => readLastWebhook(db));
  const backupAge = kept(() => backupAgeSeconds(db));
  addGauge(registry, {
    name: 'proveklar_imports',
    help: 'Imports by state',
    labelNames: ['state'],
    read: async () =>
      Object.entries((await imports()) ?? {}).map(([state, value]) => ({
        labels: { state },
        value,
      })),
  });
  addGauge(registry, {
    name: 'proveklar_payments_attention',
    help: 'Payments that a person must look at',
    read: async () => {
      const counts = await attention();
      return single(counts && Object.values(counts).reduce((sum, count) => sum + count, 0));
    },
  });
  addGauge(registry, {
    name: 'proveklar_webhook_last_timestamp_seconds',
    help: 'When an event last came by the webhook, in seconds since 1970; none when never',
    read: async () => single(await lastWebhook()),
  });
  addGauge(registry, {
    name: 'proveklar_backup_age_seconds',
    help: 'Age of what the last backup holds; none when there has never been one',
    read: async () => single(await backupAge()),
  });
}
