import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import type { Consumer } from '#consumer.ts';
import { completeDeletionHandler } from './complete-deletion.handler.ts';
import { mailReclaimedHandler } from './mail-reclaimed.handler.ts';
import { makeRefundHandler } from './make-refund.handler.ts';
import { processStripeEventHandler } from './process-stripe-event.handler.ts';
import { reconcileHandler } from './reconcile.handler.ts';
import { searchPaymentsHandler } from './search-payments.handler.ts';

/** The payments queue: mostly waiting for Stripe, so several at a time. */
export function paymentsConsumer(
  deps: PaymentDeps,
  registrationGraceMs: number,
): Consumer<'payments'> {
  return {
    queue: 'payments',
    concurrency: 8,
    handlers: {
      'stripe.event_received': processStripeEventHandler(deps, registrationGraceMs),
      'refund.requested': makeRefundHandler(deps),
      'reconciliation.requested': reconcileHandler(deps),
      'payment.search_requested': searchPaymentsHandler(deps),
      'account.deletion_interrupted': completeDeletionHandler(deps),
      'registration.reclaimed': mailReclaimedHandler(deps),
    },
  };
}
