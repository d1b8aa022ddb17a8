import type { Database } from '@proveklar/services/database/pool.ts';
import { QUEUES } from '@proveklar/services/events/catalogue.ts';
import type { QueueBackend } from '@proveklar/services/events/queue-backend.ts';
import type { StripeApi } from '@proveklar/services/payments/payment.ts';
import { STRIPE_EVENT_TYPES } from '@proveklar/services/payments/incoming/stripe-events.ts';

/** What somebody must still work on. */
export interface Waiting {
  /** In the outbox, or handed to a queue that has not consumed them. */
  events: number;
  /** What Stripe has told or would tell, and that nobody has acted on. */
  stripeEvents: number;
  refunds: number;
  failedJobs: number;
}

export const NOTHING: Waiting = { events: 0, stripeEvents: 0, refunds: 0, failedJobs: 0 };

/**
 * Counts what is left to do, also of what Stripe has and we have never heard of.
 *
 * @param withMails also mails: one that was being sent when its worker was killed waits for minutes
 */
export async function readWaiting(
  db: Database,
  stripe: StripeApi,
  queues: ReturnType<QueueBackend['openQueue']>[],
  withMails: boolean,
): Promise<Waiting> {
  const types = [...STRIPE_EVENT_TYPES];
  const told = await Array.fromAsync(stripe.events.list({ types, limit: 100 }));
  const { rows } = await db.query<Omit<Waiting, 'failedJobs'>>(
    `select (select count(*)::int from outbox)
         + (select count(*)::int from event_delivery where done_at is null
            and ($2 or queue <> 'mail')) as events,
       cardinality($1::text[])
         - (select count(*)::int from stripe_event
            where id = any ($1) and processed_at is not null) as "stripeEvents",
       (select count(*)::int from refund where state = 'requested') as refunds`,
    [told.map(({ id }) => id), withMails],
  );
  const failed = await Promise.all(queues.map((queue) => queue.getFailedCount()));
  return { ...rows[0]!, failedJobs: failed.reduce((sum, count) => sum + count, 0) };
}

export function openQueues(backend: QueueBackend): ReturnType<QueueBackend['openQueue']>[] {
  return QUEUES.map((name) => backend.openQueue(name));
}

/** Which deliveries wait, and what their jobs are doing: for whoever looks for the reason. */
export async function describeWaiting(
  db: Database,
  queues: ReturnType<QueueBackend['openQueue']>[],
): Promise<string> {
  const { rows } = await db.query<{ batch_id: string; queue: string; name: string; age: number }>(
    `select batch_id, queue, name, extract(epoch from clock_timestamp() - created_at)::int as age
     from event_delivery join event_batch on id = batch_id where done_at is null`,
  );
  const lines = rows.map(async ({ batch_id, queue, name, age }) => {
    const job = await queues.find((one) => one.name === queue)?.getJob(batch_id);
    const { attemptsMade, attemptsStarted, stalledCounter, finishedOn } = job ?? {};
    const state = await job?.getState();
    const tries = JSON.stringify({ attemptsMade, attemptsStarted, stalledCounter, finishedOn });
    return `${name} for ${queue}, ${age} s old: job ${String(state)} ${tries}`;
  });
  return (await Promise.all(lines)).join('\n');
}
