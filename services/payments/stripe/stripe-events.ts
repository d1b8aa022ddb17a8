import type Stripe from 'stripe';
import { Type, type Static } from 'typebox';
import Value from 'typebox/value';
import { isStorable } from '#database/is-storable.ts';
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

/** Stripe promises ids of at most 255 characters: https://docs.stripe.com/upgrades#what-changes */
const Name = Type.Refine(Type.String({ minLength: 1, maxLength: 255 }), isStorable);

/** An event, as far as it is read. */
const StripeEvent = Type.Object({
  id: Name,
  type: Name,
  created: Type.Optional(Type.Unknown()),
  data: Type.Object({
    object: Type.Object({
      /** Not every object has one: a balance does not. */
      id: Type.Optional(Name),
      object: Type.Optional(Type.String()),
      payment_intent: Type.Optional(Type.Unknown()),
    }),
  }),
});
type StripeEvent = Static<typeof StripeEvent>;

/** Whether a body is an event that can be kept. A signature alone does not say so. */
export function isStripeEvent(body: unknown): body is StripeEvent {
  return Value.Check(StripeEvent, body);
}

/**
 * Keeps an event once, together with its outbox row. Of what it holds only ids are kept: which
 * payment it is about. The state is read from Stripe.
 *
 * @returns whether it was new
 */
export async function keepStripeEvent(
  tx: Transaction,
  event: Pick<StripeEvent, 'id' | 'type' | 'data'>,
  source: 'webhook' | 'reconciliation',
): Promise<boolean> {
  const { object } = event.data;
  const named = object.object === 'payment_intent' ? object.id : object.payment_intent;
  const intentId = Value.Check(Name, named) ? named : null;
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
