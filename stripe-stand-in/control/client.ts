import type Stripe from 'stripe';

import type { Authentication } from '../payments/three-d-secure.ts';
import type { DisputeReason } from '../payments/test-cards.ts';
import type { Settlement } from '../payments/confirm-intent.ts';
import type { Fault, FaultOrder } from './faults.ts';

/** A client of the stand-in's control API at `url`, for tests. README.md describes the calls. */
export type Control = {
  addFault(order: FaultOrder): Promise<Fault>;
  findFault(id: string): Promise<Fault>;
  removeFault(id: string): Promise<Fault>;
  removeFaults(): Promise<{ data: Fault[] }>;
  authenticate(paymentIntentId: string, outcome: Authentication): Promise<Stripe.PaymentIntent>;
  settle(paymentIntentId: string, outcome: Settlement): Promise<Stripe.PaymentIntent>;
  /** @param dispute `amount` in minor units; by default the whole remaining amount */
  dispute(
    chargeId: string,
    dispute?: { reason?: DisputeReason; amount?: number },
  ): Promise<Stripe.Dispute>;
  resend(eventId: string): Promise<Stripe.Event>;
};

/** Rejects with the stand-in's message when a call is refused. */
export function controlAt(url: string): Control {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${url}/_control/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as T & { error?: { message: string } };
    if (!response.ok) throw new Error(answer.error?.message);
    return answer;
  }

  return {
    addFault: (order) => call('POST', 'faults', order),
    findFault: (id) => call('GET', `faults/${id}`),
    removeFault: (id) => call('DELETE', `faults/${id}`),
    removeFaults: () => call('DELETE', 'faults'),
    authenticate: (id, outcome) =>
      call('POST', `payment_intents/${id}/authentication`, { outcome }),
    settle: (id, outcome) => call('POST', `payment_intents/${id}/settlement`, { outcome }),
    dispute: (id, dispute = {}) => call('POST', `charges/${id}/dispute`, dispute),
    resend: (id) => call('POST', `events/${id}/delivery`),
  };
}
