import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { BROWSER_ERROR_KINDS } from '@proveklar/contract/operations.ts';
import {
  browserErrors,
  connectionsCut,
  databaseErrors,
  httpDuration,
  httpRequests,
  importRows,
  webhookDelay,
} from '@proveklar/services/counters/counters.ts';
import { cspViolations } from '@proveklar/services/counters/csp-violations.ts';
import {
  backupAgeSeconds,
  readOffsiteBackups,
} from '@proveklar/services/database/check-database.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import type { QueueName } from '@proveklar/services/events/catalogue.ts';
import type { JobQueue } from '@proveklar/services/events/queue-backend.ts';
import { CUT_REASONS } from '@proveklar/services/http/bounded-server.ts';
import type { VerifyToken } from '@proveklar/services/identity/verify-token.ts';
import { countImports } from '@proveklar/services/imports/read-imports.ts';
import { countAttention } from '@proveklar/services/payments/incoming/reconcile.ts';
import { readLastWebhook } from '@proveklar/services/payments/incoming/stripe-events.ts';
import { addQueueMetrics } from './queue-metrics.ts';
import { addGauge, cachedReading, single } from './read-gauge.ts';

// Starts each series at 0: Prometheus computes no rate from a series that begins at 1.
for (const reason of CUT_REASONS) connectionsCut.inc({ reason }, 0);
for (const kind of BROWSER_ERROR_KINDS) browserErrors.inc({ kind }, 0);

interface GatewayMetricsDeps {
  version: string;
  db: Database;
  countStreams: () => number;
  /** Signing keys of the identity provider. */
  keys: VerifyToken['keys'];
}

/** All metrics of a gateway process. */
export function gatewayMetrics(deps: GatewayMetricsDeps): Registry {
  const { version, db, countStreams, keys } = deps;
  const registry = createRegistry({ kind: 'gateway', version });
  addDatabaseMetrics(registry, db);
  registry.registerMetric(httpRequests);
  registry.registerMetric(httpDuration);
  registry.registerMetric(connectionsCut);
  registry.registerMetric(webhookDelay);
  registry.registerMetric(cspViolations);
  registry.registerMetric(browserErrors);
  addGauge(registry, {
    name: 'proveklar_live_streams',
    help: 'Live update streams open at this process',
    read: async () => [{ value: countStreams() }],
  });
  addGauge(registry, {
    name: 'proveklar_identity_keys_age_seconds',
    help: "Seconds since the identity provider's signing keys were last fetched (if never: since the start); renewed every 10 minutes",
    read: async () => {
      // Renews in the background and reports the age before that. At night no request renews them.
      void keys.refresh().catch(() => {});
      return single(keys.ageSeconds());
    },
  });
  return registry;
}

interface WorkersMetricsDeps {
  version: string;
  db: Database;
  queues: ReadonlyMap<QueueName, JobQueue>;
}

/**
 * All metrics of a worker process: its own, and those of the whole service, which it reads from the
 * database. Every worker process reports the latter, so do not sum them.
 */
export function workersMetrics({ version, db, queues }: WorkersMetricsDeps): Registry {
  const registry = createRegistry({ kind: 'workers', version });
  addDatabaseMetrics(registry, db);
  addQueueMetrics(registry, db, queues);
  addBusinessMetrics(registry, db);
  registry.registerMetric(webhookDelay);
  return registry;
}

/** Creates the registry of a process, with Node's default metrics and the running version. */
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

/** Adds metrics of the process's database connections. */
function addDatabaseMetrics(registry: Registry, db: Database): void {
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
    help: 'Callers waiting for a connection; if more than a few for long, the pool is too small',
    read: async () => [{ value: db.waitingCount }],
  });
}

/** Adds metrics of payments, imports and backups, from the database. */
function addBusinessMetrics(registry: Registry, db: Database): void {
  registry.registerMetric(importRows);
  const imports = cachedReading(() => countImports(db));
  const attention = cachedReading(() => countAttention(db));
  const lastWebhook = cachedReading(() => readLastWebhook(db));
  const backupAge = cachedReading(() => backupAgeSeconds(db));
  const offsite = cachedReading(() => readOffsiteBackups(db));
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
    help: "Payments that need an administrator's attention",
    read: async () => {
      const counts = await attention();
      return single(counts && Object.values(counts).reduce((sum, count) => sum + count, 0));
    },
  });
  addGauge(registry, {
    name: 'proveklar_webhook_last_timestamp_seconds',
    help: 'Unix time of the last event that came by the webhook; no value when never',
    read: async () => single(await lastWebhook()),
  });
  addGauge(registry, {
    name: 'proveklar_backup_age_seconds',
    help: 'Age of the last backup; no value when there has never been one',
    read: async () => single(await backupAge()),
  });
  addGauge(registry, {
    name: 'proveklar_offsite_backup_age_seconds',
    help: 'Age of the newest copy of a backup off the machine, or time since the first attempt; no value when none is to be sent',
    read: async () => {
      const copies = await offsite();
      return single(copies && (copies.sentSeconds ?? copies.triedSeconds));
    },
  });
  addGauge(registry, {
    name: 'proveklar_restore_test_age_seconds',
    help: 'Time since a copy off the machine was restored as a test, or since the first attempt to send one; no value when none is to be sent',
    read: async () => {
      const copies = await offsite();
      return single(copies && (copies.verifiedSeconds ?? copies.triedSeconds));
    },
  });
}
