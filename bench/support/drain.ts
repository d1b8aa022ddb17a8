import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@proveklar/local/postgres/cluster.ts';

const POLL_MS = 100;
const GIVE_UP_MS = 10 * 60_000;

export interface Drained {
  events: number;
  /** From the first batch that left the outbox to the last that was counted; by the database's clock. */
  seconds: number;
}

/** A moment of the database's clock. */
export async function nowAt(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now');
    return rows[0]!.now;
  });
}

/**
 * Waits until the statistics know every answer that was given.
 *
 * @param since what left the outbox before is left out
 */
export async function untilDrained(url: string, since: string): Promise<Drained> {
  return withClient(url, async (client) => {
    const deadline = Date.now() + GIVE_UP_MS;
    const isBehind = async () =>
      (await client.query<{ behind: boolean }>(IS_BEHIND)).rows[0]!.behind;
    while (await isBehind()) {
      if (Date.now() > deadline) throw new Error('The workers have not come to an end.');
      await sleep(POLL_MS);
    }
    const { rows } = await client.query<Drained>(DRAINED, [since]);
    return rows[0]!;
  });
}

const IS_BEHIND = `
  select exists (select from outbox where name = 'answer.submitted')
    or exists (select from event_delivery join event_batch on id = batch_id
               where done_at is null and name = 'answer.submitted') as behind`;

const DRAINED = `
  select coalesce(sum(jsonb_array_length(events)), 0)::int as events,
         extract(epoch from max(done_at) - min(created_at))::float8 as seconds
  from event_batch join event_delivery on batch_id = id
  where name = 'answer.submitted' and created_at >= $1::timestamptz`;
