import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import { reconcile } from '@proveklar/services/payments/reconcile.ts';
import { notifyLive } from '@proveklar/services/live/notify.ts';
import type { Handler } from '#consumer.ts';

/** Compares our books with Stripe's. Each part is idempotent; the batch is then recorded. */
export function reconcileHandler(deps: PaymentDeps): Handler<'reconciliation.requested'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      const done = await reconcile(deps, payload.reconciliation_id);
      const { events_missed: missed, payments_changed: changed, unknown_intents: unknown } = done;
      if (missed + changed + unknown.length > 0) {
        log.warn({ missed, changed, unknown }, 'the books differed from what Stripe says');
      }
    }
    await once((tx) => notifyLive(tx, [{ topic: 'payments' }]));
  };
}
