import type { Registry } from 'prom-client';
import { backupAgeSeconds } from '#database/backup-age.ts';
import type { Database } from '#database/pool.ts';
import { countImports } from '#imports/count-imports.ts';
import { countAttention } from '#payments/reconciliation/check-books.ts';
import { readLastWebhook } from '#payments/stripe/stripe-events.ts';
import { importRows } from './import-rows.ts';
import { addGauge, kept, single } from './read-gauge.ts';

/** Adds what an operator must know of payments, imports and backups, from the database. */
export function addBusinessFigures(registry: Registry, db: Database): void {
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
