import type Stripe from 'stripe';
import { withTransaction, type Database } from '#database/pool.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import { stripeError } from '#payments/stripe/stripe-client.ts';
import { keepStripeEvent, STRIPE_EVENT_TYPES } from '#payments/stripe/stripe-events.ts';

// Stripe keeps events for thirty days: https://docs.stripe.com/api/events
const LONGEST = '29 days';
/** The reading before may have missed what Stripe had not listed yet. */
const OVERLAP = '15 minutes';

/**
 * Keeps every event that Stripe has and that we were not told of, as if it had been delivered: also
 * those that Stripe takes for delivered. Returns how many.
 *
 * @throws AppError `payment_provider_failed`
 */
export async function keepMissedEvents({ db, stripe }: PaymentDeps): Promise<number> {
  const from = await readFrom(db);
  let missed = 0;
  try {
    for await (const events of pagesOf(stripe.events, from)) {
      const ours = await unknownOf(db, events);
      // The oldest first, as they would have come.
      for (const event of ours.toReversed()) {
        if (await withTransaction(db, (tx) => keepStripeEvent(tx, event, 'reconciliation'))) {
          missed += 1;
        }
      }
    }
  } catch (error) {
    throw stripeError(error);
  }
  return missed;
}

/** Since when events may be missing: the start of the last reading that came to its end. */
async function readFrom(db: Database): Promise<number> {
  const { rows } = await db.query<{ from: number }>(
    `select floor(extract(epoch from greatest(
       clock_timestamp() - interval '${LONGEST}',
       coalesce(max(created_at), '-infinity') - interval '${OVERLAP}')))::float8 as from
     from reconciliation where state = 'done'`,
  );
  return rows[0]!.from;
}

async function* pagesOf(
  events: PaymentDeps['stripe']['events'],
  from: number,
): AsyncGenerator<Stripe.Event[]> {
  const query = { types: [...STRIPE_EVENT_TYPES], created: { gte: from }, limit: 100 };
  let page = await events.list(query);
  for (;;) {
    yield page.data;
    const last = page.data.at(-1);
    if (!page.has_more || !last) return;
    page = await events.list({ ...query, starting_after: last.id });
  }
}

async function unknownOf(db: Database, events: Stripe.Event[]): Promise<Stripe.Event[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from stripe_event where id = any ($1)',
    [events.map(({ id }) => id)],
  );
  const known = new Set(rows.map(({ id }) => id));
  return events.filter(({ id }) => !known.has(id));
}
