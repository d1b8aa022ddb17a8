import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import type { Consumer } from '#consumer.ts';
import { processStripeEventHandler } from './process-stripe-event.handler.ts';

/** The payments queue: mostly waiting for Stripe, so several at a time. */
export function paymentsConsumer(
  deps: PaymentDeps,
  registrationGraceMs: number,
): Consumer<'payments'> {
  return {
    queue: 'payments',
    concurrency: 8,
    handlers: { 'stripe.event_received': processStripeEventHandler(deps, registrationGraceMs) },
  };
}
