import type { Purchase, PurchasesResponse } from '@proveklar/contract/payment.ts';

export type PurchaseState = Purchase['state'] | 'refund_coming' | 'dispute_lost';

/** The state of a purchase for the learner, including a pending refund. */
export function purchaseState({ state, dispute, refunds }: Purchase): PurchaseState {
  if (dispute === 'lost') return 'dispute_lost';
  const coming = refunds.some((refund) => ['requested', 'pending'].includes(refund.state));
  return coming && state !== 'disputed' ? 'refund_coming' : state;
}

/** The refund by which the learner withdrew, if they did. */
export function withdrawalRefund({ refunds }: Purchase): Purchase['refunds'][number] | undefined {
  return refunds.find(({ reason }) => reason === 'withdrawal');
}

/**
 * The purchases whose days a dispute has taken back, the newest first. A lost dispute is left out once its
 * days would have passed anyway.
 */
export function disputedPurchases(purchases: readonly Purchase[]): Purchase[] {
  return purchases.filter(
    ({ dispute, period }) =>
      dispute === 'open' || (dispute === 'lost' && Date.parse(period.ends_at) > Date.now()),
  );
}

/** Whether days may arrive without a new payment, because the bank is processing a dispute or a payment. */
export function mayGetDaysWithoutPaying(purchases: PurchasesResponse | undefined): boolean {
  if (purchases?.under_way?.status === 'processing') return true;
  return purchases?.payments.some(({ dispute }) => dispute === 'open') ?? false;
}

const MINUTE_MS = 60_000;

/** Whether a purchase's period differs from the one on its receipt. */
export function isMoved({ period, current_period: now }: Purchase): boolean {
  return (['starts_at', 'ends_at'] as const).some(
    (end) => Math.abs(Date.parse(now[end]) - Date.parse(period[end])) > MINUTE_MS,
  );
}
