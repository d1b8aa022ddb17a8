import type { Queryable } from '#database/pool.ts';
import type { Attention } from '#payments/payment.ts';

/** How many payments a person must look at, by the reason. */
export type AttentionCounts = Partial<Record<Attention, number>>;

export async function countAttention(db: Queryable): Promise<AttentionCounts> {
  const { rows } = await db.query<{ attention: Attention; payments: number }>(
    `select attention, count(*)::int as payments from payment
     where attention is not null group by attention order by attention`,
  );
  return Object.fromEntries(rows.map(({ attention, payments }) => [attention, payments]));
}

/** Intents that comparisons of so many days found paid at Stripe, and that are still not in our books. */
export async function findUnknownIntents(db: Queryable, days: number): Promise<string[]> {
  const { rows } = await db.query<{ intent: string }>(
    `select distinct intent from reconciliation, unnest(unknown_intents) as intent
     where reconciliation.created_at > clock_timestamp() - make_interval(days => $1)
       and not exists (select from payment where payment_intent_id = intent)
     order by intent`,
    [days],
  );
  return rows.map(({ intent }) => intent);
}

/**
 * Seconds since a worker last read from Stripe what has happened, and since one last compared the
 * payments one by one; null when none ever did.
 */
export async function readReconciled(
  db: Queryable,
): Promise<{ missedSeconds: number | null; comparedSeconds: number | null }> {
  const { rows } = await db.query<{ missed: number | null; compared: number | null }>(
    `select extract(epoch from clock_timestamp() - max(done_at))::float8 as missed,
       extract(epoch from clock_timestamp()
         - max(done_at) filter (where since is not null))::float8 as compared
     from reconciliation where state = 'done'`,
  );
  return { missedSeconds: rows[0]!.missed, comparedSeconds: rows[0]!.compared };
}

export interface WebhookHistory {
  /** When the webhook last told us something; null for never. */
  lastHeardAt: Date | null;
  /** When a payment was last settled; null for never. */
  lastSettledAt: Date | null;
  /** Of the events of the last day, how many the webhook told us of, and how many only we found. */
  heard: number;
  missed: number;
}

/** What came by the webhook, and what should have. */
export async function readWebhookHistory(db: Queryable): Promise<WebhookHistory> {
  const { rows } = await db.query<WebhookHistory>(
    `select
       (select max(received_at) from stripe_event where source = 'webhook') as "lastHeardAt",
       (select max(settled_at) from payment where payment_intent_id is not null) as "lastSettledAt",
       count(*) filter (where source = 'webhook')::int as heard,
       count(*) filter (where source = 'reconciliation')::int as missed
     from stripe_event where received_at > clock_timestamp() - interval '1 day'`,
  );
  return rows[0]!;
}
