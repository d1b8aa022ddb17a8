import type { Purchase, PurchasesResponse } from '@proveklar/contract/payment.ts';

export type PurchaseState = Purchase['state'] | 'refund_coming' | 'dispute_lost';

/** What has become of a purchase, for a learner: also that money is on its way back. */
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
 * The purchases whose days a complaint to the bank has taken back, the newest first. One that we lost
 * explains nothing any more once its days would have passed anyway.
 */
export function disputedPurchases(purchases: readonly Purchase[]): Purchase[] {
  return purchases.filter(
    ({ dispute, period }) =>
      dispute === 'open' || (dispute === 'lost' && Date.parse(period.ends_at) > Date.now()),
  );
}

/** Whether days may come without paying again: the bank is at a complaint, or at a payment. */
export function mayComeByItself(purchases: PurchasesResponse | undefined): boolean {
  if (purchases?.under_way?.status === 'processing') return true;
  return purchases?.payments.some(({ dispute }) => dispute === 'open') ?? false;
}

const MINUTE_MS = 60_000;

/** Whether a purchase's days are others now than its receipt says. */
export function isMoved({ period, current_period: now }: Purchase): boolean {
  return (['starts_at', 'ends_at'] as const).some(
    (end) => Math.abs(Date.parse(now[end]) - Date.parse(period[end])) > MINUTE_MS,
  );
}
