import { createHash, timingSafeEqual } from 'node:crypto';
import Stripe from 'stripe';
import { AppError } from '#errors/app-error.ts';
import type { DisputeOutcome } from '@proveklar/contract/payment.ts';
import {
  findPaymentByIntent,
  storeIntentId,
  type PayingDeps,
  type Payment,
  type PaymentDeps,
  type PaymentMethod,
  type StripeApi,
} from '#payments/payment.ts';

interface StripeClientOptions {
  secretKey: string;
  /** The URL of a stand-in; Stripe's own by default. The configuration forbids it in production. */
  apiUrl?: string | undefined;
  /** The methods that payments may use; cards by default. */
  paymentMethods?: readonly PaymentMethod[];
}

/** The API version that this code is written for; the account's default may differ. */
export const API_VERSION = '2026-10-28.endive';

/** Whether a secret key charges real cards. */
export const isLiveKey = (key: string): boolean => /^(sk|rk)_live_/.test(key);

export function createStripeClient(options: StripeClientOptions): Stripe {
  const { secretKey, apiUrl, paymentMethods } = options;
  const url = apiUrl ? new URL(apiUrl) : null;
  return new Stripe(secretKey, {
    // Stripe offers Vipps as a preview, by invitation: https://docs.stripe.com/payments/vipps
    apiVersion: paymentMethods?.includes('vipps')
      ? (`${API_VERSION}; vipps_preview=v1` as typeof API_VERSION)
      : API_VERSION,
    // Stripe's default of 80 s is too long for a waiting learner.
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(url && {
      protocol: url.protocol === 'https:' ? 'https' : 'http',
      host: url.hostname,
      port: url.port,
    }),
  });
}

/** Whether Stripe had an internal error. It replays that answer for the same idempotency key. */
export function isStripeFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500;
}

/** Whether the intent is in a state that does not allow the call. */
function isUnexpectedState(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state'
  );
}

/** Turns an error of Stripe's SDK into an AppError; returns other errors unchanged. */
export function stripeError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const missing = error.code === 'resource_missing';
  return new AppError(missing ? 'payment_not_found' : 'payment_provider_failed', { cause: error });
}

/** What a browser needs to pay. */
export interface IntentAnswer {
  /** Null while the service is free. */
  client_secret: string | null;
  payment_intent_id: string | null;
  /** Øre, including VAT. */
  amount: number;
  service_days: number;
}

type IntentDeps = Pick<PayingDeps, 'db' | 'stripe' | 'paymentMethods'>;

/**
 * Returns the PaymentIntent of a payment, and creates it at Stripe if needed. The idempotency key is the
 * payment's, so retries and concurrent calls get the same intent. After an internal error of Stripe the
 * next attempt has a new key, because Stripe replays the error for the old one. Two concurrent attempts
 * may then create two intents: only the one whose id is stored is returned, and the other cannot be paid
 * without its secret. An intent whose payment was cancelled meanwhile, such as by deleting the account,
 * is cancelled too.
 *
 * @throws AppError `payment_cancelled` in that case, `payment_not_found`, `payment_provider_failed`
 */
export async function ensureIntent(
  deps: IntentDeps,
  payment: Payment,
): Promise<Stripe.PaymentIntent> {
  const methods = [...deps.paymentMethods];
  if (payment.payment_intent_id) return retrieveIntent(deps, payment.payment_intent_id);
  const intent = await deps.stripe.paymentIntents
    .create(
      {
        amount: payment.amount_ore,
        currency: payment.currency,
        allowed_payment_method_types: methods,
        ...purchaseTexts(payment),
        metadata: {
          payment_id: payment.id,
          purpose: payment.purpose,
          service_days: String(payment.service_days),
        },
      },
      // Stripe refuses a key with other parameters than before: a change of them must change the key.
      { idempotencyKey: `payment-${payment.id}-${payment.attempt}-${methods.join('-')}` },
    )
    .catch(async (error: unknown) => {
      if (isStripeFailure(error)) {
        await deps.db.query(
          'update payment set attempt = attempt + 1 where id = $1 and attempt = $2',
          [payment.id, payment.attempt],
        );
      }
      throw stripeError(error);
    });
  const stored = await storeIntentId(deps.db, payment.id, intent.id);
  if (stored && stored.intentId !== intent.id) return retrieveIntent(deps, stored.intentId);
  if (stored?.state === 'cancelled') {
    await cancelIntent(deps, intent.id);
    throw new AppError('payment_cancelled');
  }
  return intent;
}

/**
 * What is bought, in Stripe's lists and on the card statement, where it stands after the account's own
 * prefix; with both, at most 22 Latin characters. Stripe gets no address to send a receipt to: ours is the
 * receipt. Source: https://docs.stripe.com/get-started/account/statement-descriptors
 */
function purchaseTexts({ purpose, service_days: days }: Payment) {
  if (purpose === 'packet') {
    return { description: 'Prøveklar, koder', statement_descriptor_suffix: 'KODER' };
  }
  const what = `${days} ${days === 1 ? 'dag' : 'dager'}`;
  return { description: `Prøveklar, ${what}`, statement_descriptor_suffix: what.toUpperCase() };
}

/**
 * Cancels an intent, if its state allows it.
 *
 * @throws AppError `payment_not_found`, `payment_provider_failed`
 */
export async function cancelIntent(
  { stripe }: Pick<PaymentDeps, 'stripe'>,
  intentId: string,
): Promise<void> {
  await stripe.paymentIntents
    .cancel(intentId, { cancellation_reason: 'abandoned' })
    .catch((error: unknown) => {
      // Paid, cancelled or being processed. The caller reads its state next.
      if (!isUnexpectedState(error)) throw stripeError(error);
    });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Our payment id in an intent's metadata; null for an intent of something else. */
export function paymentIdOf({ metadata }: Stripe.PaymentIntent): string | null {
  const id = metadata.payment_id;
  // Other sales of the same Stripe account may use the same metadata key.
  return id && UUID.test(id) ? id : null;
}

/**
 * Reads a PaymentIntent from Stripe.
 *
 * @throws AppError `payment_not_found`, `payment_provider_failed`
 */
async function retrieveIntent(
  { stripe }: Pick<PaymentDeps, 'stripe'>,
  paymentIntentId: string,
): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(paymentIntentId).catch((error: unknown) => {
    throw stripeError(error);
  });
}

/**
 * The payment of a caller who is not signed in, such as in a registration. The client secret of its intent, which only
 * the browser that started it was given, proves that it is theirs.
 *
 * @throws AppError `payment_not_found`, also for a wrong secret; `payment_provider_failed`
 */
export async function findOwnedPayment(
  deps: Pick<PaymentDeps, 'db' | 'stripe'>,
  paymentIntentId: string,
  clientSecret: string,
): Promise<Payment> {
  const payment = await findPaymentByIntent(deps.db, paymentIntentId);
  if (!payment) throw new AppError('payment_not_found');
  const intent = await retrieveIntent(deps, paymentIntentId);
  const [secret, given] = [intent.client_secret ?? '', clientSecret].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  if (!timingSafeEqual(secret!, given!)) throw new AppError('payment_not_found');
  return payment;
}

export function toIntentAnswer(payment: Payment, intent: Stripe.PaymentIntent): IntentAnswer {
  if (!intent.client_secret) throw new AppError('payment_provider_failed');
  return {
    client_secret: intent.client_secret,
    payment_intent_id: intent.id,
    amount: payment.amount_ore,
    service_days: payment.service_days,
  };
}

/** The current state of a payment at Stripe. */
export interface StripeState {
  intent: Stripe.PaymentIntent;
  /** Declined charges. */
  declines: Stripe.Charge[];
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
}

/** Bounds the disputes and declined charges that are read of one payment, the newest first. */
const PAGE_SIZE = 100;

/**
 * Reads the state of a payment at Stripe. The contents of events are not used, because events may come
 * late, repeatedly and in any order.
 *
 * @throws AppError `payment_not_found`, `payment_provider_failed`
 */
export async function readStripeState(
  stripe: StripeApi,
  paymentIntentId: string,
): Promise<StripeState> {
  try {
    const intent = await stripe.paymentIntents.retrieve(paymentIntentId, {
      expand: ['latest_charge'],
    });
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
    const query = { payment_intent: paymentIntentId, limit: PAGE_SIZE };
    const paid = intent.status === 'succeeded';
    const [refunds, disputes, charges] = await Promise.all([
      // Needed for failed refunds too, which the charge's refunded sum does not include.
      paid ? listRefunds(stripe, query) : null,
      // Also of a charge that is not disputed: an inquiry may become a dispute.
      paid ? stripe.disputes.list(query) : null,
      charge && !paid ? stripe.charges.list(query) : null,
    ]);
    return {
      intent,
      declines: charges?.data.filter(({ status }) => status === 'failed') ?? [],
      refunds: refunds ?? [],
      disputes: disputes?.data ?? [],
    };
  } catch (error) {
    throw stripeError(error);
  }
}

/** Lists all pages: a refund that is missed could be made again. */
export async function listRefunds(
  { refunds }: StripeApi,
  query: Stripe.RefundListParams,
): Promise<Stripe.Refund[]> {
  const listed: Stripe.Refund[] = [];
  for (;;) {
    const last = listed.at(-1);
    const page = await refunds.list(last ? { ...query, starting_after: last.id } : query);
    listed.push(...page.data);
    if (!page.has_more || page.data.length === 0) return listed;
  }
}

/** Whether Stripe received exactly the requested amount. */
export function isPaidInFull({ intent }: StripeState, payment: Payment): boolean {
  return intent.amount_received === payment.amount_ore && intent.currency === payment.currency;
}

/** Stripe's name of the method of a charge, or of the wallet that its card is in: `card`, `apple_pay`, `vipps`. */
export function methodOf({ payment_method_details: details }: Stripe.Charge): string | null {
  return details?.card?.wallet?.type ?? details?.type ?? null;
}

/** Øre that are refunded, pending refunds included. */
export function refundedOre({ refunds }: StripeState): number {
  return refunds
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** The worst of a payment's disputes. An inquiry counts as open, because the bank may still dispute. */
export function disputeOf({ disputes }: StripeState): Payment['dispute'] {
  const outcomes = new Set(disputes.map(({ status }) => outcomeOf(status)));
  return (['open', 'lost', 'won'] as const).find((outcome) => outcomes.has(outcome)) ?? null;
}

function outcomeOf(status: Stripe.Dispute.Status): DisputeOutcome {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open';
}

/** Whether a dispute waits for evidence from the seller. */
export function needsEvidence({ disputes }: StripeState): boolean {
  return disputes.some(
    ({ status }) => status === 'needs_response' || status === 'warning_needs_response',
  );
}
