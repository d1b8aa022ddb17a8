import Stripe from 'stripe';
import { STRIPE_EVENT_TYPES } from './stripe-events.ts';

/** The parts of Stripe's API that the operators' checks use. */
export type CheckedStripe = Pick<
  Stripe,
  | 'accounts'
  | 'balanceTransactions'
  | 'charges'
  | 'disputes'
  | 'events'
  | 'paymentIntents'
  | 'paymentMethodDomains'
  | 'refunds'
  | 'webhookEndpoints'
>;

/** No retries and a shorter timeout than for payments, because an operator waits for the answer. */
const WITHOUT_RETRY: Stripe.RequestOptions = { maxNetworkRetries: 0, timeout: 8_000 };

interface KeyFacts {
  /** Resources that the service must read and the key may not; empty when there are none. */
  forbidden: string[];
  /** Milliseconds by which Stripe's clock is ahead of this machine's; null without a `Date` header. */
  aheadMs: number | null;
}

/**
 * Checks the permissions of the secret key by reading one of each resource that the service reads. Write
 * permissions cannot be checked without writing.
 *
 * @returns `refused` when Stripe does not know the key
 * @throws Error when Stripe does not answer
 */
export async function checkKey(stripe: CheckedStripe): Promise<KeyFacts | 'refused'> {
  const query = { limit: 1 };
  // As the books read it.
  const withSource = { ...query, expand: ['data.source'] };
  const startedAt = Date.now();
  const reads = await Promise.all([
    attempt('PaymentIntents', stripe.paymentIntents.list(query, WITHOUT_RETRY)),
    attempt('Charges', stripe.charges.list(query, WITHOUT_RETRY)),
    attempt('Refunds', stripe.refunds.list(query, WITHOUT_RETRY)),
    attempt('Disputes', stripe.disputes.list(query, WITHOUT_RETRY)),
    attempt('Events', stripe.events.list(query, WITHOUT_RETRY)),
    attempt('Balance', stripe.balanceTransactions.list(withSource, WITHOUT_RETRY)),
  ]);
  if (reads.some(({ outcome }) => outcome === 'refused')) return 'refused';
  const date = reads.find((read) => read.date)?.date;
  return {
    forbidden: reads.flatMap(({ name, outcome }) => (outcome === 'forbidden' ? [name] : [])),
    // The header has whole seconds, so take the middle of the second.
    aheadMs: date ? Date.parse(date) + 500 - (startedAt + Date.now()) / 2 : null,
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

/** Whether the account may take payments; null when the key may not read it. */
export async function canCharge({ accounts }: CheckedStripe): Promise<boolean | null> {
  const account = await allowed(accounts.retrieveCurrent({}, WITHOUT_RETRY));
  return account && account.charges_enabled;
}

export interface WebhookEndpoint {
  url: string;
  isEnabled: boolean;
  /** Null for the account's default. */
  apiVersion: string | null;
  /** Event types that the service needs and the endpoint does not receive. */
  missingEvents: string[];
}

/** The webhook endpoints at Stripe; null when the key may not read them. */
export async function readEndpoints({
  webhookEndpoints,
}: CheckedStripe): Promise<WebhookEndpoint[] | null> {
  const list = await allowed(webhookEndpoints.list({ limit: 100 }, WITHOUT_RETRY));
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

/** The wallets that a registered domain may show. */
export interface WalletDomain {
  isEnabled: boolean;
  /** Why a wallet is not active there; null for an active one. */
  applePay: string | null;
  googlePay: string | null;
}

/**
 * The registration of a domain for Apple Pay and Google Pay. Stripe shows neither on a domain that it does not know.
 *
 * @returns null when there is none; `forbidden` when the key may not read it
 */
export async function readWalletDomain(
  { paymentMethodDomains }: Pick<CheckedStripe, 'paymentMethodDomains'>,
  domain: string,
): Promise<WalletDomain | null | 'forbidden'> {
  const list = await allowed(
    paymentMethodDomains.list({ domain_name: domain, limit: 1 }, WITHOUT_RETRY),
  );
  if (list === null) return 'forbidden';
  return list.data[0] ? toWalletDomain(list.data[0]) : null;
}

/** Registers a domain for the wallets, or lets Stripe check it again. */
export async function registerWalletDomain(
  { paymentMethodDomains }: Pick<CheckedStripe, 'paymentMethodDomains'>,
  domain: string,
): Promise<WalletDomain> {
  const { data } = await paymentMethodDomains.list({ domain_name: domain, limit: 1 });
  const known = data[0];
  const registered = known
    ? await paymentMethodDomains.update(known.id, { enabled: true })
    : await paymentMethodDomains.create({ domain_name: domain });
  return toWalletDomain(await paymentMethodDomains.validate(registered.id));
}

function toWalletDomain(domain: Stripe.PaymentMethodDomain): WalletDomain {
  const faultOf = ({ status, status_details: details }: Stripe.PaymentMethodDomain.ApplePay) =>
    status === 'active' ? null : (details?.error_message ?? 'inactive');
  return {
    isEnabled: domain.enabled,
    applePay: faultOf(domain.apple_pay),
    googlePay: faultOf(domain.google_pay),
  };
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
/** A delivery under way and Stripe's first retries are not yet a failure. */
const GRACE_S = 5 * 60;

/** Events of the last day that an endpoint has not accepted; 100 means 100 or more. */
export async function countUndelivered({ events }: CheckedStripe): Promise<number> {
  const now = Math.floor(Date.now() / 1000);
  const { data } = await events.list(
    {
      types: [...STRIPE_EVENT_TYPES],
      delivery_success: false,
      created: { gte: now - RECENT_S, lte: now - GRACE_S },
      limit: 100,
    },
    WITHOUT_RETRY,
  );
  return data.length;
}
