import type Stripe from 'stripe';
import { newId, nowInSeconds } from './ids.ts';
import type { Change, Kept, Kind, Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';
import type { Faults } from './control/faults.ts';

/** The changes of one request, collected so that they are committed atomically. */
export type Work = {
  /** Reads this request's own changes first, then the store. */
  get<K extends Kind>(kind: K, id: string): Kept[K] | undefined;
  all<K extends Kind>(kind: K): Kept[K][];
  put(...change: Change): void;
  /** Records an event with a snapshot of the object, to be delivered after the commit. */
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

/** The request that causes the changes. */
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

/** The dependencies of every route. */
export type Context = {
  store: Store;
  webhooks: Webhooks;
  faults: Faults;
  /** Idempotency keys of requests that are in progress. */
  keysInUse: Set<string>;
};

/** Commits the changes of a request with its events, and starts their delivery. */
export function commitWork({ store, webhooks }: Context, work: Work): void {
  store.commit(work.changes);
  webhooks.deliver(work.eventIds);
}

/** The version that stripe-node 23 pins, and that every event names. */
export const API_VERSION = '2026-10-28.endive';
