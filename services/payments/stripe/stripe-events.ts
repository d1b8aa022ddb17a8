import type Stripe from 'stripe';
import type { Queryable, Transaction } from '#database/pool.ts';
import { emit } from '#events/emit.ts';

/** What Stripe is asked to tell us: each of these may change what our books must say. */
export const STRIPE_EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const satisfies Stripe.Event.Type[];

/**
 * Keeps an event once, together with its outbox row. Of what it holds only ids are kept: which
 * payment it is about. The state is read from Stripe.
 *
 * @returns whether it was new
 */
export async function keepStripeEvent(
  tx: Transaction,
  event: Stripe.Event,
  source: 'webhook' | 'reconciliation',
): Promise<boolean> {
  const object = event.data.object as { id?: string; object?: string; payment_intent?: unknown };
  const named = object.object === 'payment_intent' ? object.id : object.payment_intent;
  const intentId = typeof named === 'string' ? named : null;
  const { rowCount } = await tx.query(
    `insert into stripe_event (id, type, object_id, payment_intent_id, source)
     values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
    [event.id, event.type, object.id ?? '', intentId, source],
  );
  if (rowCount !== 1) return false;
  await emit(tx, 'stripe.event_received', { stripe_event_id: event.id });
  return true;
}

/** When the webhook last told us of something, in seconds since 1970; null for never. */
export async function readLastWebhook(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ seconds: number }>(
    `select extract(epoch from received_at)::float8 as seconds from stripe_event
     where source = 'webhook' order by received_at desc limit 1`,
  );
  return rows[0]?.seconds ?? null;
}
