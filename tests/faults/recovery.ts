import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Database } from '@proveklar/services/database/pool.ts';
import { CANARY, QUEUES } from '@proveklar/services/events/catalogue.ts';

const POLL_INTERVAL_MS = 50;
const RECOVERY_TIMEOUT_S = 600;
/** Queues that may be slow without a fault: their jobs last as long as there is work. */
const LONG = ['imports', 'analysis', 'near-duplicates'];
/** Its mail is sent a minute later, if the payment is still in processing. */
const DELAYED = 'payment.processing';

/** Seconds since the fault ended. */
export interface Recovery {
  /** Until each queue with waiting events has consumed one of them. */
  resumed: number;
  /** Until every event from before the fault's end is consumed; takes longer the more there are. */
  caughtUp: number;
}

/**
 * Call it when a fault has ended: waits until every event emitted before now is consumed.
 *
 * @throws Error after ten minutes, with the events that are stuck
 */
export async function recoveryOf(db: Database): Promise<Recovery> {
  const from = new Date();
  const seconds = () => (Date.now() - from.getTime()) / 1000;
  let resumed: number | undefined;
  for (;;) {
    const { rows } = await db.query<{ name: string; queue: string; n: number; works: boolean }>(
      `select name, 'outbox' as queue, count(*)::int as n, false as works
       from outbox where created_at < $1 group by name
       union all
       select name, queue, count(*)::int, exists (
         select from event_delivery done join event_batch on id = done.batch_id
         where done.queue = waiting.queue and done_at > $1 and name <> $3)
       from event_delivery waiting join event_batch on id = batch_id
       -- Its first event: the batch may have been made later than that happened.
       where done_at is null and uuid_extract_timestamp((events -> 0 ->> 'id')::uuid) < $1
         and queue <> all ($2) and name <> $4
       group by name, queue`,
      [from, LONG, CANARY, DELAYED],
    );
    if (rows.every(({ works }) => works)) resumed ??= seconds();
    if (rows.length === 0) return { resumed: resumed!, caughtUp: seconds() };
    if (seconds() > RECOVERY_TIMEOUT_S) throw new Error(`Left: ${JSON.stringify(rows)}`);
    await sleep(POLL_INTERVAL_MS);
  }
}

/** The workers' readiness: the status, 0 without an answer, and the reasons. */
export async function readinessOf(operatorsUrl: string): Promise<{ status: number; body: string }> {
  try {
    const response = await fetch(`${operatorsUrl}/health/ready`);
    return { status: response.status, body: await response.text() };
  } catch {
    return { status: 0, body: '' };
  }
}

/** Waits until no schedule is overdue, and a new canary has come through every queue. */
export async function allRunning(db: Database): Promise<void> {
  const since = new Date();
  const still = async () => {
    const { rows } = await db.query<{ waiting: string[] }>(
      `select array(select name from schedule where next_at < clock_timestamp() - interval '10 s')
         || array(select unnest($2::text[]) except select queue from canary where done_at > $1)
         as waiting`,
      [since, QUEUES],
    );
    return rows[0]!.waiting;
  };
  await expect.poll(still, { interval: 200 }).toEqual([]);
}
