import type { DeliveredEvent, EventOf } from '@proveklar/services/events/catalogue.ts';
import type { MailOutcome } from '@proveklar/services/mail/send-once.ts';
import { RetryLater, type Handler } from '#consumer.ts';

/**
 * Mails what events tell of. Sending is held to once by itself; the batch is then recorded.
 *
 * @param what for the log
 */
export function sendMailHandler<N extends EventOf<'mail'>>(
  what: string,
  send: (event: DeliveredEvent<N>) => Promise<MailOutcome>,
): Handler<N> {
  return async (events, { once, log }) => {
    for (const event of events) {
      const outcome = await send(event);
      if (typeof outcome === 'object') throw new RetryLater(outcome.retryInMs);
      const level = outcome === 'refused' ? 'error' : 'info';
      log[level]({ event: event.id, about: event.payload, outcome }, what);
    }
    await once(async () => {});
  };
}
