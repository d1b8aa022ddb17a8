import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import {
  reconcile,
  type Reconciliation,
} from '@proveklar/services/payments/reconciliation/reconcile.ts';
import { notifyLive } from '@proveklar/services/live/notify.ts';
import type { Handler } from '#consumer.ts';

/** Compares our books with Stripe's. Each part is idempotent; the batch is then recorded. */
export function reconcileHandler(deps: PaymentDeps): Handler<'reconciliation.requested'> {
  return async (events, { once, log }) => {
    const done: Reconciliation[] = [];
    for (const { payload } of events) {
      const run = await reconcile(deps, payload.reconciliation_id);
      if (run) done.push(run);
    }
    const differing = done.filter(isDifferent);
    for (const { events_missed: missed, payments_changed: changed, ...rest } of differing) {
      const unknown = rest.unknown_intents;
      log.warn({ missed, changed, unknown }, 'the books differed from what Stripe says');
    }
    const isOfInterest = differing.length > 0 || done.some(({ requested_by }) => requested_by);
    await once((tx) => notifyLive(tx, isOfInterest ? [{ topic: 'payments' }] : []));
  };
}

function isDifferent({ events_missed, payments_changed, unknown_intents }: Reconciliation) {
  return events_missed + payments_changed + unknown_intents.length > 0;
}
