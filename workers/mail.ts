import type { DeliveredEvent, EventOf } from '@proveklar/services/events/catalogue.ts';
import { tellDeleted } from '@proveklar/services/letters/account-deleted.ts';
import { tellDisabled } from '@proveklar/services/letters/account-disabled.ts';
import { tellEnabled } from '@proveklar/services/letters/account-enabled.ts';
import { confirmPayment } from '@proveklar/services/letters/payment-confirmation.ts';
import { tellRefunded } from '@proveklar/services/letters/payment-refunded.ts';
import { tellSearched } from '@proveklar/services/letters/payment-search.ts';
import { tellWithdrawn } from '@proveklar/services/letters/payment-withdrawn.ts';
import { tellRegraded } from '@proveklar/services/letters/quiz-regraded.ts';
import { tellEnding } from '@proveklar/services/letters/service-ending.ts';
import type { MailOutcome, SignInMailDeps } from '@proveklar/services/mail/send-once.ts';
import { type Consumer, type Handler, RetryLater } from './consumer.ts';

/** The mail queue. Jobs mostly wait for the SMTP server, so several run at a time. */
export function mailConsumer(deps: SignInMailDeps): Consumer<'mail'> {
  return {
    queue: 'mail',
    concurrency: 4,
    handlers: {
      'payment.succeeded': sendMailHandler('payment confirmation', (event) =>
        confirmPayment(deps, event),
      ),
      'payment.withdrawn': sendMailHandler('withdrawal', (event) => tellWithdrawn(deps, event)),
      'payment.refunded': sendMailHandler('refund', (event) => tellRefunded(deps, event)),
      'payment.searched': sendMailHandler('payment search', (event) => tellSearched(deps, event)),
      'account.deleted': sendMailHandler('deleted account', (event) => tellDeleted(deps, event)),
      'account.disabled': sendMailHandler('disabled account', (event) => tellDisabled(deps, event)),
      'account.enabled': sendMailHandler('enabled account', (event) => tellEnabled(deps, event)),
      'service.ending': sendMailHandler('ending service', (event) => tellEnding(deps, event)),
      'result.regraded': sendMailHandler('regraded result', ({ payload }) =>
        tellRegraded(deps, payload),
      ),
    },
  };
}

/**
 * Sends a mail for each event. Each mail is sent once; the batch is recorded at the end.
 *
 * @param what for the log
 */
function sendMailHandler<N extends EventOf<'mail'>>(
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
