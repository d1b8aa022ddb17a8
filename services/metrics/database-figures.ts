import type { Registry } from 'prom-client';
import type { Database } from '#database/pool.ts';
import { databaseErrors } from './database-errors.ts';
import { addGauge } from './read-gauge.ts';

/** Adds what a process says of its connections to the database. */
export function addDatabaseFigures(registry: Registry, db: Database): void {
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
