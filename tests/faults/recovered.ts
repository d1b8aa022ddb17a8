import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Database } from '@proveklar/services/database/pool.ts';
import { QUEUES } from '@proveklar/services/events/catalogue.ts';

const LOOK_MS = 50;
const PATIENCE_MS = 60_000;
/**
 * One job of these takes as long as there is work, whatever happened; and a mail that was being sent when
 * its claim was cut off waits for minutes, lest it be sent twice (decision 7).
 */
const LONG = ['imports', 'analysis', 'near-duplicates', 'mail'];

/**
 * Waits until all that had happened by now is consumed.
 *
 * @returns the seconds that it took
 */
export async function recoverySeconds(db: Database): Promise<number> {
  const from = Date.now();
  const until = new Date(from);
  for (;;) {
    const { rows } = await db.query<{ name: string; queue: string; n: number }>(
      `select name, 'outbox' as queue, count(*)::int as n from outbox where created_at < $1 group by 1
       union all
       select name, queue, count(*)::int from event_delivery join event_batch on id = batch_id
       where done_at is null and created_at < $1 and queue <> all ($2) group by 1, 2`,
      [until, LONG],
    );
    if (rows.length === 0) return (Date.now() - from) / 1000;
    if (Date.now() - from > PATIENCE_MS) throw new Error(`Left: ${JSON.stringify(rows)}`);
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
  await expect.poll(still, { timeout: 30_000, interval: 200 }).toEqual([]);
}
