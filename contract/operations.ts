import { type Static, Type } from 'typebox';
import { Closed, OrNull, RowId, Timestamp } from './common.ts';

// What operators see in the portal: status, queues, backups and rejected events. No data of learners.

export const LEVELS = ['ok', 'warning', 'fault'] as const;
const Level = Type.Enum(LEVELS);
export type Level = Static<typeof Level>;

const Count = Type.Integer({ minimum: 0 });

/** What a finding says. The portal has a text of each in every language: `operations.found` and `operations.advice`. */
export const FINDING_CODES = [
  'unreadable',
  'database_silent',
  'database_answered',
  'connections',
  'no_gateway',
  'no_workers',
  'process_lost',
  'processes_lost',
  'versions',
  'processes_report',
  'no_questions',
  'no_quiz',
  'last_quiz',
  'free',
  'stripe_answered',
  'stripe_no_workers',
  'stripe_queue_stuck',
  'stripe_uncalled',
  'stripe_silent',
  'identity_first',
  'identity_answered',
  'identity_silent',
  'redis_silent',
  'redis_policy',
  'outbox_empty',
  'outbox_waits',
  'events_consumed',
  'events_late',
  'set_aside_none',
  'set_aside',
  'queues_stuck',
  'queues_never',
  'queues_paused',
  'jobs_failed',
  'imports_none',
  'imports_running',
  'imports_failed',
  'mails_accepted',
  'mails_refused',
  'never_reconciled',
  'reconciled',
  'reconciliation_late',
  'compared',
  'compared_late',
  'compared_never',
  'attention_none',
  'attention',
  'unknown_none',
  'unknown',
  'webhook_silent',
  'webhook_missed',
  'webhook_none',
  'webhook_heard',
  'backup_never',
  'backup_age',
  'offsite_off',
  'offsite_never',
  'offsite_age',
  'restore_test_never',
  'restore_test_ago',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

const StatusPart = Closed({
  id: Type.String({ description: 'Stable: `practise`, `queues`, …' }),
  name: Type.String(),
  level: Level,
  figure: OrNull(Type.Number(), 'The number of `figure_of`; null: could not be read.'),
  figure_of: Type.String({ description: 'What is counted.' }),
  findings: Type.Array(
    Closed({
      level: Level,
      found: Type.String({ description: 'In English, as on the status page and in the logs.' }),
      advice: OrNull(Type.String(), 'In English.'),
      code: OrNull(Type.String(), 'What `found` says: stable, for texts in other languages.'),
      values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: 'The parts of the text; those whose names end in `_s` are seconds.',
      }),
    }),
    { description: 'The problems, or one finding when there is none.' },
  ),
  since: OrNull(Timestamp, 'Start of the level, as far as the worker knows.'),
});
export type StatusPart = Static<typeof StatusPart>;

const QueueStatus = Closed({
  name: Type.String(),
  level: Level,
  depth: OrNull(Count, 'Jobs that wait, run or are delayed; null: the queue did not answer.'),
  failed: OrNull(Count),
  paused: Type.Boolean(),
  oldest_seconds: OrNull(Type.Number(), 'Age of the oldest event that was not consumed.'),
  rejected: OrNull(Count, 'Open rejected events.'),
});
export type QueueStatus = Static<typeof QueueStatus>;

const ProcessStatus = Closed({
  kind: Type.Union([Type.Literal('gateway'), Type.Literal('workers')]),
  host: Type.String(),
  version: Type.String(),
  started_at: Timestamp,
  seen_seconds_ago: Type.Number(),
  live: Type.Boolean(),
});
export type ProcessStatus = Static<typeof ProcessStatus>;

/** The status of the service, as a worker found it. */
export const ServiceStatus = Closed({
  level: Level,
  verdict: Type.String({ description: 'One sentence, in English.' }),
  at: Timestamp,
  backend: Type.Union([Type.Literal('redis'), Type.Literal('postgres')]),
  parts: Type.Array(StatusPart),
  queues: Type.Array(QueueStatus),
  processes: Type.Array(ProcessStatus),
});
export type ServiceStatus = Static<typeof ServiceStatus>;

const Backup = Closed({
  started_at: Timestamp,
  ended_at: Timestamp,
  bytes: Count,
  sent_at: OrNull(Timestamp, 'When its copy was off the machine.'),
});

const RestoreTest = Closed({
  backup_started_at: Timestamp,
  tested_at: Timestamp,
  rows: Type.Integer({ minimum: 0, description: 'In all tables, as many as in the backup.' }),
});

const QueuePause = Closed({
  queue: Type.String(),
  paused: Type.Boolean(),
  at: Timestamp,
  by: OrNull(
    Type.String(),
    'Address of the person; `operator`: on the queue dashboard; null: after two years.',
  ),
});
export type QueuePause = Static<typeof QueuePause>;

export const OperationsResponse = Closed({
  status: OrNull(
    ServiceStatus,
    'Found by a worker, every ten seconds: `at` says when. Null before the first worker.',
  ),
  pauses: Type.Array(QueuePause, {
    description:
      'What was decided last for a queue, newer than `status`. A queue that was never paused has none.',
  }),
  backups: Type.Array(Backup, { description: 'The latest ten, newest first.' }),
  restore_test: OrNull(
    RestoreTest,
    'The last time that a copy off the machine was restored as a test; null before the first.',
  ),
});
export type OperationsResponse = Static<typeof OperationsResponse>;

/** An event that no worker could process. Its payload, which may name a learner, is left out. */
const RejectedEvent = Closed({
  id: Type.Integer({ minimum: 1 }),
  event_id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  queue: Type.String(),
  reason: Type.String({ description: 'In words, without the offending value.' }),
  sqlstate: OrNull(Type.String()),
  attempts: Count,
  rejected_at: Timestamp,
});
export type RejectedEvent = Static<typeof RejectedEvent>;

export const RejectedEventsResponse = Closed({
  events: Type.Array(RejectedEvent, { description: 'The open ones, oldest first, at most 500.' }),
  total: Count,
});
export type RejectedEventsResponse = Static<typeof RejectedEventsResponse>;

/** The queue of a path. */
export const QueueParams = Closed({ queue: Type.String({ minLength: 1, maxLength: 60 }) });
export type QueueParams = Static<typeof QueueParams>;

export const PauseQueueRequest = Closed({ paused: Type.Boolean() });
export type PauseQueueRequest = Static<typeof PauseQueueRequest>;

export const BROWSER_ERROR_KINDS = ['error', 'rejection'] as const;

/** An error in a page. The page leaves out addresses' queries, ids and texts of the learner. */
export const BrowserErrorReport = Closed({
  kind: Type.Enum(BROWSER_ERROR_KINDS, {
    description: '`error`: thrown and not caught; `rejection`: of a promise.',
  }),
  name: Type.String({ maxLength: 60, description: 'Such as `TypeError`.' }),
  message: Type.String({ maxLength: 300 }),
  at: Type.String({ maxLength: 200, description: 'File, line and column in our code, or empty.' }),
  page: Type.String({ maxLength: 200, description: 'The path, with `:id` for each id.' }),
});
export type BrowserErrorReport = Static<typeof BrowserErrorReport>;

const ids = Type.Array(RowId, {
  minItems: 1,
  maxItems: 500,
  uniqueItems: true,
});

export const RetryEventsRequest = Closed({ ids });
export type RetryEventsRequest = Static<typeof RetryEventsRequest>;

export const DismissEventsRequest = Closed({
  ids,
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Why they are not needed; in the audit log.',
  }),
});
export type DismissEventsRequest = Static<typeof DismissEventsRequest>;
