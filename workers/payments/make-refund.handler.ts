import { makeRefund } from '@proveklar/services/payments/refunds/make-refund.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import type { Handler } from '#consumer.ts';

/** Makes refunds at Stripe. Each is made once by itself; the batch is then recorded. */
export function makeRefundHandler(deps: PaymentDeps): Handler<'refund.requested'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      const { id, state, failure } = await makeRefund(deps, payload.refund_id);
      const level = state === 'failed' ? 'error' : 'info';
      log[level]({ refund: id, state, failure }, 'refund');
    }
    await once(async () => {});
  };
}
