import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@proveklar/local/postgres/cluster.ts';

const POLL_INTERVAL_MS = 100;
const TIMEOUT_MS = 10 * 60_000;

export interface Drained {
  events: number;
  /** From the first batch taken from the outbox to the last one counted, by the database's clock. */
  seconds: number;
}

/** The current time of the database. */
export async function nowAt(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now');
    return rows[0]!.now;
  });
}

/**
 * Waits until the statistics have counted every answer.
 *
 * @param since ignores batches that were taken from the outbox before
 */
export async function untilDrained(url: string, since: string): Promise<Drained> {
  await untilNone(url, IS_BEHIND);
  return withClient(url, async (client) => {
    const { rows } = await client.query<Drained>(DRAINED, [since]);
    return rows[0]!;
  });
}

/** Waits until the statistics have consumed all their events: answers and ended quizzes. */
export async function untilConsumed(url: string): Promise<void> {
  await untilNone(url, IS_LEFT);
}

/** Waits until the workers have estimated how hard the questions are, as they do each day from their first start. */
export async function untilRefitted(url: string): Promise<void> {
  await untilNone(url, IS_NOT_REFITTED);
}

/** Polls while this query says that there is work left (`behind`). */
async function untilNone(url: string, query: string): Promise<void> {
  await withClient(url, async (client) => {
    const deadline = Date.now() + TIMEOUT_MS;
    const isBehind = async () => (await client.query<{ behind: boolean }>(query)).rows[0]!.behind;
    while (await isBehind()) {
      if (Date.now() > deadline) throw new Error('The workers did not finish in time.');
      await sleep(POLL_INTERVAL_MS);
    }
  });
}

const IS_LEFT = `
  select exists (select from outbox)
    or exists (select from event_delivery where queue = 'statistics' and done_at is null) as behind`;

const IS_NOT_REFITTED = `
  select not exists (select from event_delivery join event_batch on id = batch_id
                     where name = 'learning.refit_requested' and done_at is not null) as behind`;

const IS_BEHIND = `
  select exists (select from outbox where name = 'answer.submitted')
    or exists (select from event_delivery join event_batch on id = batch_id
               where done_at is null and name = 'answer.submitted') as behind`;

const DRAINED = `
  select coalesce(sum(jsonb_array_length(events)), 0)::int as events,
         extract(epoch from max(done_at) - min(created_at))::float8 as seconds
  from event_batch join event_delivery on batch_id = id
  where name = 'answer.submitted' and created_at >= $1::timestamptz`;
