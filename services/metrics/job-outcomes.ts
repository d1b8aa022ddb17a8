import { Counter, Histogram } from 'prom-client';
import { QUEUES } from '#events/catalogue.ts';

export const jobsFailed = new Counter({
  name: 'proveklar_jobs_failed_total',
  help: 'Attempts at a job that failed; it is tried again',
  labelNames: ['queue'],
  registers: [],
});

export const jobsStalled = new Counter({
  name: 'proveklar_jobs_stalled_total',
  help: 'Jobs whose worker was not heard of any more, and that another takes up',
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

// The first failure is a step from 0: a rate cannot be told from a series that begins at 1.
for (const queue of QUEUES) {
  jobsFailed.inc({ queue }, 0);
  jobsStalled.inc({ queue }, 0);
  jobDuration.zero({ queue });
}
