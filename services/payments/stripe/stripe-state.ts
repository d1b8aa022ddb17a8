import type Stripe from 'stripe';
import type { Payment, StripeApi } from '#payments/payment.ts';
import { stripeError } from './stripe-client.ts';

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

function outcomeOf(status: Stripe.Dispute.Status): 'open' | 'won' | 'lost' {
  if (status === 'lost') return 'lost';
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open';
}

/** Whether the bank waits for evidence from the seller. */
export function needsEvidence({ disputes }: StripeState): boolean {
  return disputes.some(
    ({ status }) => status === 'needs_response' || status === 'warning_needs_response',
  );
}
