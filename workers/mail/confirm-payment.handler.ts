import { confirmPayment } from '@proveklar/services/mail/confirm-payment.ts';
import type { MailDeps } from '@proveklar/services/mail/send-once.ts';
import { RetryLater, type Handler } from '#consumer.ts';

/** Confirms payments by mail. Sending is held to once by itself; the batch is then recorded. */
export function confirmPaymentHandler(deps: MailDeps): Handler<'payment.succeeded'> {
  return async (events, { once, log }) => {
    for (const event of events) {
      const outcome = await confirmPayment(deps, event);
      if (typeof outcome === 'object') throw new RetryLater(outcome.retryInMs);
      const level = outcome === 'refused' ? 'error' : 'info';
      log[level]({ payment: event.payload.payment_id, outcome }, 'payment confirmation');
    }
    await once(async () => {});
  };
}
