import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type {
  DismissEventsRequest,
  OperationsResponse,
  PauseQueueRequest,
  RejectedEventsResponse,
  RetryEventsRequest,
  ServiceStatus,
} from '@proveklar/contract/operations.ts';
import type { OperationDocs } from './operation.ts';

export const EXAMPLE_STATUS: ServiceStatus = {
  level: 'ok',
  verdict: 'All systems operational',
  at: '2026-01-20T09:00:00.000Z',
  backend: 'redis',
  parts: [
    {
      id: 'practise',
      name: 'Learners can practise',
      level: 'ok',
      figure: 12,
      figure_of: 'quizzes started in the last hour',
      findings: [
        {
          level: 'ok',
          found: 'the last quiz was started 40 s ago',
          advice: null,
          code: 'last_quiz',
          values: { ago_s: 40 },
        },
      ],
      since: null,
    },
  ],
  queues: [
    {
      name: 'mail',
      level: 'ok',
      depth: 0,
      failed: 0,
      paused: false,
      oldest_seconds: null,
      rejected: 0,
    },
  ],
  processes: [
    {
      kind: 'gateway',
      host: 'gateway-1',
      version: '0.1.0',
      started_at: '2026-01-20T08:00:00.000Z',
      seen_seconds_ago: 3,
      live: true,
    },
  ],
};

/** The number and the id of the rejected event of the examples. */
export const REJECTED_ID = '4';
export const REJECTED_EVENT_ID = '019bd0de-5a10-7c3e-9f21-6b0d4e8a7c60';

export const readOperations: OperationDocs<never, OperationsResponse> = {
  operationId: 'readOperations',
  description:
    'As a worker found it at `status.at`; when that is more than a minute ago, no worker runs. Holds no data of learners.',
  examples: {
    operational: {
      summary: 'All is well, and there was a backup',
      answer: {
        status: EXAMPLE_STATUS,
        pauses: [
          {
            queue: 'mail',
            paused: false,
            at: '2026-01-19T14:00:00.000Z',
            by: 'operator@example.no',
          },
        ],
        backups: [
          {
            started_at: '2026-01-20T02:00:00.000Z',
            ended_at: '2026-01-20T02:01:30.000Z',
            bytes: 52_000_000,
            sent_at: '2026-01-20T02:03:00.000Z',
          },
        ],
        restore_test: {
          backup_started_at: '2026-01-19T20:00:00.000Z',
          tested_at: '2026-01-19T20:05:00.000Z',
          rows: 1_240_000,
        },
      },
    },
  },
};

export const pauseQueue: OperationDocs<PauseQueueRequest, Static<typeof Ok>> = {
  operationId: 'pauseQueue',
  description:
    'The workers do it within a few seconds. A job that runs ends first, and the others wait: nothing is lost. In the audit log.',
  examples: {
    paused: {
      summary: 'Mails wait',
      path: { queue: 'mail' },
      body: { paused: true },
      answer: { ok: true },
    },
    resumed: {
      summary: 'Mails are sent again',
      path: { queue: 'mail' },
      body: { paused: false },
      answer: { ok: true },
    },
  },
  errors: { not_found: { error: 'There is no such queue' } },
};

export const listRejectedEvents: OperationDocs<never, RejectedEventsResponse> = {
  operationId: 'listRejectedEvents',
  description: 'Without their payloads, which may name a learner.',
  examples: {
    one: {
      summary: 'An event that does not match the catalogue',
      answer: {
        events: [
          {
            id: Number(REJECTED_ID),
            event_id: REJECTED_EVENT_ID,
            name: 'answer.submitted',
            queue: 'statistics',
            reason: 'payload/correct must be boolean',
            sqlstate: null,
            attempts: 1,
            rejected_at: '2026-01-20T09:00:00.000Z',
          },
        ],
        total: 1,
      },
    },
  },
};

export const retryRejectedEvents: OperationDocs<RetryEventsRequest, Static<typeof Ok>> = {
  operationId: 'retryRejectedEvents',
  description:
    'All of them or, when one is not open, none. One that fails again is rejected again.',
  examples: {
    retried: {
      summary: 'One event',
      body: { ids: [Number(REJECTED_ID)] },
      answer: { ok: true },
    },
  },
  errors: { event_not_open: { error: `there is no event ${REJECTED_ID}` } },
};

export const dismissRejectedEvents: OperationDocs<DismissEventsRequest, Static<typeof Ok>> = {
  operationId: 'dismissRejectedEvents',
  description: 'All of them or, when one is not open, none.',
  examples: {
    dismissed: {
      summary: 'One event',
      body: { ids: [Number(REJECTED_ID)], reason: 'Counted by hand' },
      answer: { ok: true },
    },
  },
  errors: { event_not_open: { error: `there is no event ${REJECTED_ID}` } },
};
