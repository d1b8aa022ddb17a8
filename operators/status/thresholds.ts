import type { QueueName } from '@proveklar/services/events/catalogue.ts';

// When something is no longer well, for the status page and the doctor. Where the alerts of
// deploy/prometheus look at the same, it is at the same age (tests/operations/alerts.large.test.ts);
// only WebhookSilent waits for hours, before it wakes an operator.

/** A relay takes events within a tenth of a second. */
export const OUTBOX_FAULT_S = 60;
/** What most queues are given is done within a second. */
export const UNCONSUMED_WARNING_S = 2 * 60;
/** Of these queues one event may be a file of a million questions. */
export const LONG_QUEUES: readonly QueueName[] = [
  'imports',
  'analysis',
  'near-duplicates',
  'changes',
  'regrades',
];
export const UNCONSUMED_LONG_WARNING_S = 2 * 60 * 60;
/** Missed events are looked for at Stripe every minute. */
export const STRIPE_READ_FAULT_S = 5 * 60;
/** Payments are compared once a day. */
export const COMPARED_WARNING_S = 2 * 24 * 60 * 60;
/** After a payment, Stripe reports it within seconds, and tries again for hours. */
export const WEBHOOK_SILENT_S = 10 * 60;
/** How far back comparisons are believed to still need a person, in days. */
export const UNKNOWN_DAYS = 30;
/** One is due every six hours; so many may fail. */
export const BACKUP_FAULT_S = 26 * 60 * 60;
/** Of the connections that PostgreSQL takes. */
export const CONNECTIONS_WARNING_SHARE = 0.8;
/** So many refused mails are no longer addresses with a typing error: as a share, and at least. */
export const REFUSED_MAILS_SHARE = 0.1;
export const REFUSED_MAILS = 3;
/** One that fell silent is missed for so long; by then another has replaced it. */
export const PROCESS_MISSED_S = 10 * 60;
/** The identity provider is asked every minute. */
export const IDENTITY_SILENT_S = 150;
