import { recordAction } from '@proveklar/services/audit/record-action.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { storeStatus } from '@proveklar/services/database/service-status.ts';
import {
  EXAMPLE_STATUS,
  REJECTED_EVENT_ID,
  REJECTED_ID,
} from '@proveklar/gateway/openapi/examples/operations.ts';
import type { TestGateway } from '../gateway.ts';
import { signInAdmin, type Call, type SetUps } from './set-up.ts';

async function operational(gateway: TestGateway): Promise<Call> {
  const { db } = gateway.deps;
  await storeStatus(db, EXAMPLE_STATUS);
  await db.query(
    `insert into backup_run values ('2026-01-20T02:00:00Z', '2026-01-20T02:01:30Z', 52000000)`,
  );
  await db.query(
    `insert into backup_copy (dumped_at, sent_at, verified_at, verified_rows)
     values ('2026-01-20T02:00:00Z', '2026-01-20T02:03:00Z', null, null),
            ('2026-01-19T20:00:00Z', '2026-01-19T20:03:00Z', '2026-01-19T20:05:00Z', 1240000)`,
  );
  const entryId = await withTransaction(db, (tx) =>
    recordAction(tx, { actor: 'operator@example.no', action: 'queue.resumed', subject: 'mail' }),
  );
  await db.query(
    `insert into queue_pause (queue, paused, at, entry_id) values ('mail', false, '2026-01-19T14:00:00Z', $1)`,
    [entryId],
  );
  return { token: (await signInAdmin(gateway)).token };
}

/** The event of the examples, open again where an earlier call closed it. */
async function rejected(gateway: TestGateway): Promise<Call> {
  await gateway.deps.db.query('delete from rejected_event where id = $1', [REJECTED_ID]);
  await gateway.deps.db.query(
    `insert into rejected_event (id, event_id, name, queue, batch_id, payload, reason)
     overriding system value
     values ($1, $2, 'answer.submitted', 'statistics', $2, '{"correct": 1}',
             'payload/correct must be boolean')`,
    [REJECTED_ID, REJECTED_EVENT_ID],
  );
  return { token: (await signInAdmin(gateway)).token };
}

const empty = async (gateway: TestGateway): Promise<Call> => ({
  token: (await signInAdmin(gateway)).token,
});

export const operationsSetUps: SetUps = {
  'readOperations.operational': operational,
  'pauseQueue.paused': empty,
  'pauseQueue.resumed': empty,
  'pauseQueue.not_found': async (gateway) => ({
    ...(await empty(gateway)),
    path: { queue: 'none' },
  }),
  'listRejectedEvents.one': rejected,
  'retryRejectedEvents.retried': rejected,
  'retryRejectedEvents.event_not_open': empty,
  'dismissRejectedEvents.dismissed': rejected,
  'dismissRejectedEvents.event_not_open': empty,
};
