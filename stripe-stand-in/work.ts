import type Stripe from 'stripe';
import { newId, nowInSeconds } from './ids.ts';
import type { Change, Kept, Kind, Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';
import type { Faults } from './control/faults.ts';

/** What one request changes, collected so that it is committed together or not at all. */
export type Work = {
  /** Sees what this request has put, then what is kept. */
  get<K extends Kind>(kind: K, id: string): Kept[K] | undefined;
  all<K extends Kind>(kind: K): Kept[K][];
  put(...change: Change): void;
  /** Records an event with a snapshot of the object as it is now, to be delivered after commit. */
  emit(type: EventType, object: EventObject): void;
  readonly changes: readonly Change[];
  readonly eventIds: readonly string[];
};

type EventType =
  | 'payment_intent.created'
  | 'payment_intent.requires_action'
  | 'payment_intent.processing'
  | 'payment_intent.succeeded'
  | 'payment_intent.payment_failed'
  | 'payment_intent.canceled'
  | 'charge.pending'
  | 'charge.succeeded'
  | 'charge.failed'
  | 'charge.refunded'
  | 'refund.created'
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.dispute.closed'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.dispute.funds_reinstated';

type EventObject = Stripe.PaymentIntent | Stripe.Charge | Stripe.Refund | Stripe.Dispute;

/** The request that changes something. */
type Cause = { requestId: string; idempotencyKey: string | null };

export function beginWork(
  { store, webhooks }: { store: Store; webhooks: Pick<Webhooks, 'wants'> },
  cause: Cause,
): Work {
  const changes: Change[] = [];
  const eventIds: string[] = [];
  return {
    get<K extends Kind>(kind: K, id: string) {
      const own = changes.findLast((change) => change[0] === kind && change[1] === id);
      return own === undefined
        ? store.get(kind, id)
        : ((own[2] ?? undefined) as Kept[K] | undefined);
    },
    all: (kind) => store.all(kind),
    put(...change) {
      changes.push(change);
    },
    emit(type, object) {
      const id = newId('evt');
      const isSent = webhooks.wants(type);
      const event = {
        id,
        object: 'event',
        api_version: API_VERSION,
        created: nowInSeconds(),
        data: { object },
        livemode: false,
        pending_webhooks: isSent ? 1 : 0,
        request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
        type,
      } as Stripe.Event;
      changes.push(['event', id, event]);
      if (isSent) changes.push(['delivery', id, { id, state: 'pending' }]);
      eventIds.push(id);
    },
    changes,
    eventIds,
  };
}

/** What every route works with. */
export type Context = {
  store: Store;
  webhooks: Webhooks;
  faults: Faults;
  /** Idempotency keys of requests that have not been run yet. */
  keysInUse: Set<string>;
};

/** Writes what a request changes, together with its events, and starts delivering these. */
export function commitWork({ store, webhooks }: Context, work: Work): void {
  store.commit(work.changes);
  webhooks.deliver(work.eventIds);
}

/** The version that stripe-node 23 pins, and that every event says it was rendered for. */
export const API_VERSION = '2026-10-28.endive';
