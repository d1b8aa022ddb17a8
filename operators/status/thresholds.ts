import type { QueueName } from '@proveklar/services/events/catalogue.ts';

// Thresholds of the status page and the doctor. Alerts of deploy/prometheus on the same measure use the
// same age (tests/operations/alerts.large.test.ts), except WebhookSilent, which waits for hours before it
// wakes an operator.

/** Normally a relay takes an event within a tenth of a second. */
export const OUTBOX_FAULT_S = 60;
/** Most queues consume an event within a second. */
export const UNCONSUMED_WARNING_S = 2 * 60;
/** In these queues one event may be a file of a million questions. */
export const LONG_QUEUES: readonly QueueName[] = [
  'imports',
  'analysis',
  'near-duplicates',
  'changes',
  'regrades',
];
export const UNCONSUMED_LONG_WARNING_S = 2 * 60 * 60;
/** Missed events are fetched from Stripe every minute. */
export const STRIPE_READ_FAULT_S = 5 * 60;
/** Payments are compared once a day. */
export const COMPARED_WARNING_S = 2 * 24 * 60 * 60;
/** Stripe reports a payment within seconds, and retries for hours. */
export const WEBHOOK_SILENT_S = 10 * 60;
/** Unknown payments older than this are no longer reported. */
export const UNKNOWN_DAYS = 30;
/** A backup is due every six hours: three may fail. */
export const BACKUP_FAULT_S = 26 * 60 * 60;
/** A copy off the machine is restored as a test every week; one that fails is tried again the next day. */
export const RESTORE_TEST_WARNING_S = 9 * 24 * 60 * 60;
/** Share of PostgreSQL's max_connections. */
export const CONNECTIONS_WARNING_SHARE = 0.8;
/** More refused mails than mistyped addresses explain: at least this share, and this number. */
export const REFUSED_MAILS_SHARE = 0.1;
export const MIN_REFUSED_MAILS = 3;
/** A process that stopped reporting is shown for so long; by then another has replaced it. */
export const PROCESS_MISSED_S = 10 * 60;
/** The identity provider is polled every minute. */
export const IDENTITY_SILENT_S = 150;
