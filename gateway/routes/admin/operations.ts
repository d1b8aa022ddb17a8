import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Ok, withErrors } from '@proveklar/contract/common.ts';
import {
  DismissEventsRequest,
  OperationsResponse,
  PauseQueueRequest,
  QueueParams,
  RejectedEventsResponse,
  RetryEventsRequest,
} from '@proveklar/contract/operations.ts';
import {
  listBackups,
  readRestoreTest,
  readStatus,
} from '@proveklar/services/database/service-status.ts';
import { readPauses, setQueuesPaused } from '@proveklar/services/events/queue-pauses.ts';
import {
  countRejected,
  dismissRejected,
  listRejected,
  retryRejected,
} from '@proveklar/services/events/rejected-events.ts';
import * as docs from '#openapi/examples/operations.ts';
import { identityOf } from '#plugins/access.ts';

const MAX_EVENTS = 500;

/** The status of the service and its rejected events, for operators. No route has a learner's data. */
export const operationsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.get(
    '/operations',
    {
      config: { access: 'operator', docs: docs.readOperations },
      schema: {
        tags: ['admin'],
        summary: 'The status of the service, its queues and its backups',
        response: withErrors({ 200: OperationsResponse }),
      },
    },
    async () => {
      const [status, pauses, backups, test] = await Promise.all([
        readStatus(db),
        readPauses(db),
        listBackups(db),
        readRestoreTest(db),
      ]);
      return {
        status,
        pauses: pauses.map((pause) => ({ ...pause, at: pause.at.toISOString() })),
        backups: backups.map(({ bytes, started_at, ended_at, sent_at }) => ({
          started_at: started_at.toISOString(),
          ended_at: ended_at.toISOString(),
          bytes,
          sent_at: sent_at?.toISOString() ?? null,
        })),
        restore_test: test && {
          backup_started_at: test.dumped_at.toISOString(),
          tested_at: test.verified_at.toISOString(),
          rows: test.verified_rows,
        },
      };
    },
  );

  app.put(
    '/queues/:queue',
    {
      config: { access: 'operator', docs: docs.pauseQueue },
      schema: {
        tags: ['admin'],
        summary: 'Pause or resume a queue',
        params: QueueParams,
        body: PauseQueueRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { queue } = request.params;
      const { paused } = request.body;
      const by = identityOf(request);
      await setQueuesPaused(db, { names: [queue], paused, by });
      return { ok: true as const };
    },
  );

  app.get(
    '/rejected-events',
    {
      config: { access: 'operator', docs: docs.listRejectedEvents },
      schema: {
        tags: ['admin'],
        summary: 'Events that no worker could process',
        response: withErrors({ 200: RejectedEventsResponse }),
      },
    },
    async () => {
      const [events, total] = await Promise.all([
        listRejected(db, { states: ['open'], limit: MAX_EVENTS }),
        countRejected(db),
      ]);
      return {
        total,
        events: events.map(
          ({ id, event_id, name, queue, reason, sqlstate, attempts, rejected_at }) => ({
            id,
            event_id,
            name,
            queue,
            reason,
            sqlstate,
            attempts,
            rejected_at: rejected_at.toISOString(),
          }),
        ),
      };
    },
  );

  app.post(
    '/rejected-events/retry',
    {
      config: { access: 'operator', docs: docs.retryRejectedEvents },
      schema: {
        tags: ['admin'],
        summary: 'Hand rejected events to their queues again',
        body: RetryEventsRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const by = identityOf(request);
      await retryRejected(db, { ids: request.body.ids, by });
      return { ok: true as const };
    },
  );

  app.post(
    '/rejected-events/dismiss',
    {
      config: { access: 'operator', docs: docs.dismissRejectedEvents },
      schema: {
        tags: ['admin'],
        summary: 'Close rejected events that are not needed',
        body: DismissEventsRequest,
        response: withErrors({ 200: Ok }),
      },
    },
    async (request) => {
      const { ids, reason: why } = request.body;
      const by = identityOf(request);
      await dismissRejected(db, { ids, by, why: why.trim() });
      return { ok: true as const };
    },
  );
};
