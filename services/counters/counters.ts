import { Counter, Histogram } from 'prom-client';

// The Prometheus counters and histograms that code increments where something happens. This file imports
// nothing of the product, so that every part may import it. operators/metrics/ decides which process exposes
// which metric, and reads the gauges.

export const httpRequests = new Counter({
  name: 'proveklar_http_requests_total',
  help: 'Requests answered, by route and status; 499 is a client that left before the answer',
  labelNames: ['method', 'route', 'status'],
  registers: [],
});

export const httpDuration = new Histogram({
  name: 'proveklar_http_request_duration_seconds',
  help: 'How long requests took; without live streams, imports and downloads, which take as long as they are',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [],
});

export const connectionsCut = new Counter({
  name: 'proveklar_connections_cut_total',
  help: 'Connections that the gateway ended because of a limit: too many, too many requests at once, answers not read, headers or bodies too slow',
  labelNames: ['reason'],
  registers: [],
});

export const browserErrors = new Counter({
  name: 'proveklar_browser_errors_total',
  help: 'Errors of our pages that were not caught, as browsers report them; anyone can send one',
  labelNames: ['kind'],
  registers: [],
});

export const databaseErrors = new Counter({
  name: 'proveklar_db_errors_total',
  help: 'Errors that PostgreSQL answered, by SQLSTATE; 08006 is a connection that broke or was refused',
  labelNames: ['sqlstate'],
  registers: [],
});

/**
 * Events of the service: quizzes, answers, payments, registrations. Approximate: a relay that is killed
 * right after it takes events has not counted them.
 */
export const eventsTaken = new Counter({
  name: 'proveklar_events_total',
  help: 'Events taken from the outbox',
  labelNames: ['event'],
  registers: [],
});

export const jobsFailed = new Counter({
  name: 'proveklar_jobs_failed_total',
  help: 'Attempts at a job that failed; it is tried again',
  labelNames: ['queue'],
  registers: [],
});

export const jobsStalled = new Counter({
  name: 'proveklar_jobs_stalled_total',
  help: 'Jobs whose worker lost its lock; another worker retries them',
  labelNames: ['queue'],
  registers: [],
});

export const jobDuration = new Histogram({
  name: 'proveklar_job_duration_seconds',
  help: 'How long attempts at a job took, without canaries',
  labelNames: ['queue'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600],
  registers: [],
});

export const importRows = new Counter({
  name: 'proveklar_import_rows_total',
  help: 'Rows of imported files that are stored, good and bad',
  registers: [],
});

/**
 * `stored`: from the event at Stripe (in whole seconds of Stripe's clock) until it is in the database.
 * `processed`: from there until our books are updated, without the grace period of a registration.
 */
export const webhookDelay = new Histogram({
  name: 'proveklar_webhook_delay_seconds',
  help: "How long Stripe's events took: until they were stored, and from there until they were processed",
  labelNames: ['stage'] as const,
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
  registers: [],
});
