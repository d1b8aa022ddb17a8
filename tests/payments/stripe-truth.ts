import type Stripe from 'stripe';
import type { StripeApi } from '@proveklar/services/payments/payment.ts';

/** The expected state of a payment, computed from Stripe's objects alone. */
export interface Truth {
  intentId: string;
  paymentId: string;
  purpose: string;
  /** Øre. */
  amountOre: number;
  status: Stripe.PaymentIntent.Status;
  succeeded: boolean;
  /** Days that were sold. */
  days: number;
  /** The refunded amount in øre. */
  refundedOre: number;
  dispute: 'open' | 'lost' | 'won' | null;
  /** Days that refunds and disputes take back; 0 for a packet of codes. */
  takenBack: number;
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
}

/** The id of an object that Stripe returns as its id or, if expanded, whole. */
export function idOf(reference: string | { id: string } | null): string {
  return typeof reference === 'object' ? (reference?.id ?? '') : reference;
}

/** Our payments that Stripe has. */
export async function readTruths(stripe: StripeApi): Promise<Truth[]> {
  const [intents, refunds, disputes] = await Promise.all([
    Array.fromAsync(stripe.paymentIntents.list({ limit: 100 })),
    Array.fromAsync(stripe.refunds.list({ limit: 100 })),
    Array.fromAsync(stripe.disputes.list({ limit: 100 })),
  ]);
  const refundsOf = Map.groupBy(refunds, (refund) => idOf(refund.payment_intent));
  const disputesOf = Map.groupBy(disputes, (dispute) => idOf(dispute.payment_intent));
  return intents.map((intent) =>
    truthOf(intent, refundsOf.get(intent.id) ?? [], disputesOf.get(intent.id) ?? []),
  );
}

/** Computes it from the objects of one payment. */
export function truthOf(
  intent: Stripe.PaymentIntent,
  refunds: Stripe.Refund[],
  disputes: Stripe.Dispute[],
): Truth {
  const succeeded = intent.status === 'succeeded';
  const days = Number(intent.metadata.service_days);
  let refundedOre = 0;
  for (const { status, amount } of refunds) {
    if (status === 'succeeded' || status === 'pending' || status === 'requires_action') {
      refundedOre += amount;
    }
  }
  const statuses = disputes.map(({ status }): string => status);
  const isOver = (status: string) =>
    ['won', 'warning_closed', 'prevented', 'lost'].includes(status);
  const dispute = statuses.some((status) => !isOver(status))
    ? 'open'
    : statuses.includes('lost')
      ? 'lost'
      : statuses.length > 0
        ? 'won'
        : null;
  const all = dispute === 'open' || dispute === 'lost';
  const share = Math.floor((days * refundedOre) / intent.amount);
  return {
    intentId: intent.id,
    paymentId: intent.metadata.payment_id ?? '',
    purpose: intent.metadata.purpose ?? '',
    amountOre: intent.amount,
    status: intent.status,
    succeeded,
    days,
    refundedOre,
    dispute,
    takenBack: succeeded && intent.metadata.purpose !== 'packet' ? (all ? days : share) : 0,
    refunds,
    disputes,
  };
}
