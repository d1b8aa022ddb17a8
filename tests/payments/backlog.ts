import type { Database } from '@proveklar/services/database/pool.ts';
import { QUEUES } from '@proveklar/services/events/catalogue.ts';
import type { QueueBackend } from '@proveklar/services/events/queue-backend.ts';
import type { StripeApi } from '@proveklar/services/payments/payment.ts';
import { STRIPE_EVENT_TYPES } from '@proveklar/services/payments/incoming/stripe-events.ts';

/** The work that is not done yet. */
export interface Backlog {
  /** In the outbox, or delivered to a queue that has not consumed them. */
  events: number;
  /** Events of Stripe that we have not processed, also those never delivered to us. */
  stripeEvents: number;
  refunds: number;
  failedJobs: number;
}

export const EMPTY_BACKLOG: Backlog = { events: 0, stripeEvents: 0, refunds: 0, failedJobs: 0 };

/**
 * Counts the work that is left, also for Stripe's events that were never delivered to us.
 *
 * @param withMails counts mails, too: one that was being sent when its worker was killed waits for minutes
 */
export async function readBacklog(
  db: Database,
  stripe: StripeApi,
  queues: ReturnType<QueueBackend['openQueue']>[],
  withMails: boolean,
): Promise<Backlog> {
  const { rows } = await db.query<Pick<Backlog, 'events' | 'refunds'>>(
    `select (select count(*)::int from outbox)
         + (select count(*)::int from event_delivery where done_at is null
            and ($1 or queue <> 'mail')) as events,
       (select count(*)::int from refund where state = 'requested') as refunds`,
    [withMails],
  );
  const stripeEvents = (await unprocessedStripeEvents(db, stripe)).length;
  const failed = await Promise.all(queues.map((queue) => queue.getFailedCount()));
  return { ...rows[0]!, stripeEvents, failedJobs: failed.reduce((sum, count) => sum + count, 0) };
}

/** The ids of Stripe's events that we have not processed, also those that were never delivered to us. */
export async function unprocessedStripeEvents(db: Database, stripe: StripeApi): Promise<string[]> {
  const types = [...STRIPE_EVENT_TYPES];
  const events = await Array.fromAsync(stripe.events.list({ types, limit: 100 }));
  const { rows } = await db.query<{ id: string }>(
    `select id from unnest($1::text[]) as listed (id)
     where not exists (select from stripe_event
                       where stripe_event.id = listed.id and processed_at is not null)`,
    [events.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
}

export function openQueues(backend: QueueBackend): ReturnType<QueueBackend['openQueue']>[] {
  return QUEUES.map((name) => backend.openQueue(name));
}

/** The waiting deliveries with the state of their jobs, to find the cause of a failure. */
export async function describeBacklog(
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
    const attempts = JSON.stringify({ attemptsMade, attemptsStarted, stalledCounter, finishedOn });
    return `${name} for ${queue}, ${age} s old: job ${String(state)} ${attempts}`;
  });
  return (await Promise.all(lines)).join('\n');
}
