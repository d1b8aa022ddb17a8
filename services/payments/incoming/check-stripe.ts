import Stripe from 'stripe';
import { STRIPE_EVENT_TYPES } from './stripe-events.ts';

/** The parts of Stripe that only an operator's checks use, and what they try out. */
export type CheckedStripe = Pick<
  Stripe,
  'accounts' | 'charges' | 'disputes' | 'events' | 'paymentIntents' | 'refunds' | 'webhookEndpoints'
>;

/** One try, and less patience than for a payment: an operator waits for the answer. */
const ONCE: Stripe.RequestOptions = { maxNetworkRetries: 0, timeout: 8_000 };

interface KeyFacts {
  /** What the key may not read and must; empty when all is well. */
  forbidden: string[];
  /** Milliseconds by which Stripe's clock is ahead of this machine's; null when it is not said. */
  aheadMs: number | null;
}

/**
 * What a key is good for: reads one of each thing that the service reads. Whether it may also write
 * is seen by writing only.
 *
 * @returns `refused` when Stripe does not know the key
 * @throws Error when Stripe does not answer
 */
export async function checkKey(stripe: CheckedStripe): Promise<KeyFacts | 'refused'> {
  const query = { limit: 1 };
  const asked = Date.now();
  const reads = await Promise.all([
    attempt('PaymentIntents', stripe.paymentIntents.list(query, ONCE)),
    attempt('Charges', stripe.charges.list(query, ONCE)),
    attempt('Refunds', stripe.refunds.list(query, ONCE)),
    attempt('Disputes', stripe.disputes.list(query, ONCE)),
    attempt('Events', stripe.events.list(query, ONCE)),
  ]);
  if (reads.some(({ outcome }) => outcome === 'refused')) return 'refused';
  const date = reads.find((read) => read.date)?.date;
  return {
    forbidden: reads.flatMap(({ name, outcome }) => (outcome === 'forbidden' ? [name] : [])),
    // In whole seconds, so the middle of that second.
    aheadMs: date ? Date.parse(date) + 500 - (asked + Date.now()) / 2 : null,
  };
}

async function attempt(
  name: string,
  call: Promise<Stripe.Response<unknown>>,
): Promise<{ name: string; outcome: 'ok' | 'refused' | 'forbidden'; date?: string | undefined }> {
  try {
    const { lastResponse } = await call;
    return { name, outcome: 'ok', date: lastResponse.headers.date };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) {
      return { name, outcome: 'refused' };
    }
    if (isForbidden(error)) return { name, outcome: 'forbidden' };
    throw error;
  }
}

/** Whether the account may take payments; null when this key may not ask. */
export async function canCharge({ accounts }: CheckedStripe): Promise<boolean | null> {
  const account = await allowed(accounts.retrieveCurrent({}, ONCE));
  return account && account.charges_enabled;
}

export interface WebhookEndpoint {
  url: string;
  isEnabled: boolean;
  /** Null for the account's own. */
  apiVersion: string | null;
  /** Those that the service must hear of and the endpoint is not told. */
  missingEvents: string[];
}

/** Where Stripe sends events; null when this key may not ask. */
export async function readEndpoints({
  webhookEndpoints,
}: CheckedStripe): Promise<WebhookEndpoint[] | null> {
  const list = await allowed(webhookEndpoints.list({ limit: 100 }, ONCE));
  return (
    list &&
    list.data.map(({ url, status, api_version: apiVersion, enabled_events: enabled }) => ({
      url,
      isEnabled: status === 'enabled',
      apiVersion,
      missingEvents: STRIPE_EVENT_TYPES.filter(
        (type) => !enabled.includes('*') && !enabled.includes(type),
      ),
    }))
  );
}

async function allowed<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (isForbidden(error)) return null;
    throw error;
  });
}

function isForbidden(error: unknown): boolean {
  return error instanceof Stripe.errors.StripePermissionError;
}

const RECENT_S = 24 * 60 * 60;
/** Stripe's own tries and the delivery that is under way are not yet a failure. */
const GRACE_S = 5 * 60;

/** Events of the last day that an endpoint has not taken; 100 stands for that many or more. */
export async function countUndelivered({ events }: CheckedStripe): Promise<number> {
  const now = Math.floor(Date.now() / 1000);
  const { data } = await events.list(
    {
      types: [...STRIPE_EVENT_TYPES],
      delivery_success: false,
      created: { gte: now - RECENT_S, lte: now - GRACE_S },
      limit: 100,
    },
    ONCE,
  );
  return data.length;
}
