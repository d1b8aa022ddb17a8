import { Histogram } from 'prom-client';

/**
 * `stored`: from what happened at Stripe until its event is in the database (Stripe tells whole
 * seconds, by its own clock). `processed`: from there until our books have it, without the time for
 * which a registration is left to its learner.
 */
export const webhookDelay = new Histogram({
  name: 'proveklar_webhook_delay_seconds',
  help: "How long Stripe's events took: until they were stored, and from there until they were processed",
  labelNames: ['stage'] as const,
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600],
  registers: [],
});
