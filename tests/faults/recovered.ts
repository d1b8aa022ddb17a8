import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Database } from '@proveklar/services/database/pool.ts';
import { CANARY, QUEUES } from '@proveklar/services/events/catalogue.ts';

const LOOK_MS = 50;
const PATIENCE_S = 600;
/**
 * One job of these takes as long as there is work, whatever happened; and a mail that was being sent when
 * its claim was cut off waits for minutes, lest it be sent twice (decision 7).
 */
const LONG = ['imports', 'analysis', 'near-duplicates', 'mail'];

/** Seconds since the fault ended. */
export interface Recovery {
  /** Each queue in which something waits has done something of it. */
  goesOn: number;
  /** All that had happened by the fault's end is consumed: the longer the more that is. */
  caughtUp: number;
}

/**
 * Waits until all that had happened by now, when a fault has ended, is consumed.
 *
 * @throws Error after ten minutes: what is left is stuck
 */
export async function recoveryOf(db: Database): Promise<Recovery> {
  const from = new Date();
  const seconds = () => (Date.now() - from.getTime()) / 1000;
  let goesOn: number | undefined;
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
         and queue <> all ($2)
       group by name, queue`,
      [from, LONG, CANARY],
    );
    if (rows.every(({ works }) => works)) goesOn ??= seconds();
    if (rows.length === 0) return { goesOn: goesOn!, caughtUp: seconds() };
    if (seconds() > PATIENCE_S) throw new Error(`Left: ${JSON.stringify(rows)}`);
    await sleep(LOOK_MS);
  }
}

/** Whether the workers say that they are ready: the status, 0 for none, and what is wrong. */
export async function readinessOf(operatorsUrl: string): Promise<{ status: number; body: string }> {
  try {
    const response = await fetch(`${operatorsUrl}/health/ready`);
    return { status: response.status, body: await response.text() };
  } catch {
    return { status: 0, body: '' };
  }
}

/** Waits until everything that is done again and again was done again, and a canary has come through. */
export async function allGoesOn(db: Database): Promise<void> {
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
