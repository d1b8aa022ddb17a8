import type Stripe from 'stripe';

import type { CardBehaviour } from './payments/cards.ts';

/** Everything that is kept, by kind. Values are never changed in place: an update is a new value. */
export type Kept = {
  payment_intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  payment_method: StoredPaymentMethod;
  token: { id: string; payment_method: string };
  event: Stripe.Event;
  delivery: Delivery;
  idempotent_answer: IdempotentAnswer;
};
export type Kind = keyof Kept;

/** One line of the journal is a list of these; `null` forgets the value. */
export type Change = { [K in Kind]: [kind: K, id: string, value: Kept[K] | null] }[Kind];

/** A payment method as Stripe shows it, and what paying with it does. */
export type StoredPaymentMethod = CardBehaviour & { id: string; object: Stripe.PaymentMethod };

/** Whether an event has reached the endpoint; `id` is the event's. */
export type Delivery = { id: string; state: 'pending' | 'delivered' | 'abandoned' };

/** The first answer that was given under a key; `id` is the key. */
export type IdempotentAnswer = {
  id: string;
  created: number;
  requestId: string;
  path: string;
  fingerprint: string;
  status: number;
  body: object;
};
