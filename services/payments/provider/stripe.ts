import Stripe from 'stripe';
import { AppError } from '#errors/app-error.ts';
import type { DisputeOutcome } from '@proveklar/contract/payment.ts';
import { noteIntent, type Payment, type PaymentDeps, type StripeApi } from '#payments/payment.ts';

interface StripeClientOptions {
  secretKey: string;
  /** A stand-in's address; Stripe's own by default. Configuration refuses this in production. */
  apiUrl?: string | undefined;
}

/** The API version that this code was written against; the account's own may differ. */
export const API_VERSION = '2026-10-28.endive';

export function createStripeClient({ secretKey, apiUrl }: StripeClientOptions): Stripe {
  const url = apiUrl ? new URL(apiUrl) : null;
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    // A learner waits for the answer: Stripe's own default is 80 s.
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

/** Whether Stripe answered that it failed inside; it keeps that answer for the same key. */
export function isStripeFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500;
}

/** Whether the intent has changed meanwhile to a state that does not allow the call. */
function isUnexpectedState(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError && error.code === 'payment_intent_unexpected_state'
  );
}

/** Turns what the SDK throws into an error that may be shown; what is not Stripe's passes. */
export function stripeError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  // Said before anything is paid: with such an address no account could be made afterwards.
  if (error.code === 'email_invalid') {
    return new AppError('email_refused', { cause: error, details: { field: 'email' } });
  }
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

type IntentDeps = Pick<PaymentDeps, 'db' | 'stripe'>;

/**
 * The PaymentIntent of a payment, made at Stripe if it is not there yet. The key of the call is the
 * payment's own, so that a second try, or two at once, get the same intent. After a failure inside
 * Stripe the next try has a new key, because Stripe replays that failure to the old one. Should two
 * tries at once make two intents in this way, only the one that is noted is handed out: without
 * the other's secret that one cannot be paid. The same holds for an intent whose payment was
 * cancelled while Stripe made it: the learner deleted their account, say.
 *
 * @throws AppError `payment_cancelled` for such a one, `payment_not_found`, `payment_provider_failed`
 */
export async function intentOf(deps: IntentDeps, payment: Payment): Promise<Stripe.PaymentIntent> {
  if (payment.payment_intent_id) return retrieveIntent(deps, payment.payment_intent_id);
  const intent = await deps.stripe.paymentIntents
    .create(
      {
        amount: payment.amount_ore,
        currency: payment.currency,
        allowed_payment_method_types: ['card'],
        metadata: {
          payment_id: payment.id,
          purpose: payment.purpose,
          service_days: String(payment.service_days),
        },
        ...(payment.email ? { receipt_email: payment.email } : {}),
      },
      { idempotencyKey: `payment-${payment.id}-${payment.attempt}` },
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
  const noting = await noteIntent(deps.db, payment.id, intent.id);
  if (noting && noting.noted !== intent.id) return retrieveIntent(deps, noting.noted);
  if (noting?.state === 'cancelled') {
    await cancelIntent(deps, intent.id);
    throw new AppError('payment_cancelled');
  }
  return intent;
}

/**
 * Cancels an intent that can be cancelled.
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
      // Paid, or cancelled, or being worked on: what it is now is read next.
      if (!isUnexpectedState(error)) throw stripeError(error);
    });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Our id of the payment that an intent was made for; null for one of something else. */
export function paymentIdOf({ metadata }: Stripe.PaymentIntent): string | null {
  const id = metadata.payment_id;
  // What else the same Stripe account sells may be marked by the same name.
  return id && UUID.test(id) ? id : null;
}

/**
 * Reads a PaymentIntent from Stripe.
 *
 * @throws AppError `payment_not_found`, `payment_provider_failed`
 */
export async function retrieveIntent(
  { stripe }: Pick<PaymentDeps, 'stripe'>,
  paymentIntentId: string,
): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(paymentIntentId).catch((error: unknown) => {
    throw stripeError(error);
  });
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

/** What Stripe says of a payment, read just now. */
export interface StripeState {
  intent: Stripe.PaymentIntent;
  /** Charges that a bank refused. */
  declines: Stripe.Charge[];
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
}

/** As many disputes and declined charges of one payment as are looked at, the newest first. */
const PAGE = 100;

/**
 * Reads all that Stripe says of a payment. An event's contents are never believed, because events
 * come in any order, late, and more than once.
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
    const query = { payment_intent: paymentIntentId, limit: PAGE };
    const paid = intent.status === 'succeeded';
    const [refunds, disputes, charges] = await Promise.all([
      // A refund that fails is taken off the charge's sum again, and must be seen all the same.
      paid ? listRefunds(stripe, query) : null,
      // Not only of a charge that says it is disputed: an inquiry is one that may yet become so.
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

/** All of them: one that is not counted could be paid back again. */
async function listRefunds(
  { refunds }: StripeApi,
  query: Stripe.RefundListParams,
): Promise<Stripe.Refund[]> {
  const found: Stripe.Refund[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await refunds.list(last ? { ...query, starting_after: last.id } : query);
    found.push(...page.data);
    if (!page.has_more || page.data.length === 0) return found;
  }
}

/** Whether Stripe has taken exactly what was asked for. */
export function isPaidInFull({ intent }: StripeState, payment: Payment): boolean {
  return intent.amount_received === payment.amount_ore && intent.currency === payment.currency;
}

/** Øre that are paid back or on their way. */
export function refundedOre({ refunds }: StripeState): number {
  return refunds
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** The worst of a payment's disputes. An inquiry counts as open: the bank may yet take the money. */
export function disputeOf({ disputes }: StripeState): Payment['dispute'] {
  const outcomes = new Set(disputes.map(({ status }) => outcomeOf(status)));
  return (['open', 'lost', 'won'] as const).find((outcome) => outcomes.has(outcome)) ?? null;
}

function outcomeOf(status: Stripe.Dispute.Status): DisputeOutcome {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open';
}

/** Whether the bank waits for evidence from the seller. */
export function needsEvidence({ disputes }: StripeState): boolean {
  return disputes.some(
    ({ status }) => status === 'needs_response' || status === 'warning_needs_response',
  );
}
