import type { Purchase } from '@proveklar/gateway/contract/purchases.ts';

export type PurchaseState = Purchase['state'] | 'refund_coming';

/** What has become of a purchase, for a learner: also that money is on its way back. */
export function purchaseState({ state, refunds }: Purchase): PurchaseState {
  const coming = refunds.some((refund) => ['requested', 'pending'].includes(refund.state));
  return coming && state !== 'disputed' ? 'refund_coming' : state;
}

/** The refund by which the learner withdrew, if they did. */
export function withdrawalRefund({ refunds }: Purchase): Purchase['refunds'][number] | undefined {
  return refunds.find(({ reason }) => reason === 'withdrawal');
}
