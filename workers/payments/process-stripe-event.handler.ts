import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import { processStripeEvent } from '@proveklar/services/payments/stripe/process-stripe-event.ts';
import { RetryLater, type Handler } from '#consumer.ts';

/** Acts on what Stripe told us. Settling is idempotent by itself; the batch is then recorded. */
export function processStripeEventHandler(
  deps: PaymentDeps,
  registrationGraceMs: number,
): Handler<'stripe.event_received'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      const outcome = await processStripeEvent(deps, payload.stripe_event_id, registrationGraceMs);
      if (typeof outcome === 'object') throw new RetryLater(outcome.retryInMs);
      log.info({ stripe_event: payload.stripe_event_id, outcome }, 'stripe event processed');
    }
    await once(async () => {});
  };
}
