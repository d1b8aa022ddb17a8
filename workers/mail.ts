import type { DeliveredEvent, EventOf } from '@proveklar/services/events/catalogue.ts';
import {
  type Consumer,
  type Handler,
  RetryLater,
} from '@proveklar/services/events/run-consumer.ts';
import { mailAccountDeleted } from '@proveklar/services/mail-templates/account-deleted.ts';
import { mailAccountDisabled } from '@proveklar/services/mail-templates/account-disabled.ts';
import { mailAccountEnabled } from '@proveklar/services/mail-templates/account-enabled.ts';
import { mailAccountInactive } from '@proveklar/services/mail-templates/account-inactive.ts';
import { mailPacket, type PacketMailDeps } from '@proveklar/services/mail-templates/code-packet.ts';
import { mailRedeemedCode } from '@proveklar/services/mail-templates/code-redeemed.ts';
import { mailMessage, mailTestMessage } from '@proveklar/services/mail-templates/message.ts';
import { mailPasswordChanged } from '@proveklar/services/mail-templates/password-changed.ts';
import { mailPasswordLink } from '@proveklar/services/mail-templates/password-link.ts';
import { mailPaymentConfirmation } from '@proveklar/services/mail-templates/payment-confirmation.ts';
import {
  mailFailedPayment,
  mailProcessingPayment,
} from '@proveklar/services/mail-templates/payment-processing.ts';
import { mailRefund } from '@proveklar/services/mail-templates/payment-refunded.ts';
import { mailSearchResult } from '@proveklar/services/mail-templates/payment-search.ts';
import { mailWithdrawal } from '@proveklar/services/mail-templates/payment-withdrawn.ts';
import { mailRegrade } from '@proveklar/services/mail-templates/quiz-regraded.ts';
import { mailReminder } from '@proveklar/services/mail-templates/reminder.ts';
import { mailServiceEnding } from '@proveklar/services/mail-templates/service-ending.ts';
import { type LiveMessage, notifyLive } from '@proveklar/services/live/live.ts';
import {
  forgetUnsentMails,
  type MailOutcome,
  type SignInMailDeps,
} from '@proveklar/services/mail/send-once.ts';

/** The mail queue. Jobs mostly wait for the SMTP server, so several run at a time. */
export function mailConsumer(deps: SignInMailDeps & PacketMailDeps): Consumer<'mail'> {
  return {
    queue: 'mail',
    concurrency: 4,
    handlers: {
      'payment.succeeded': sendMailHandler('payment confirmation', (event) =>
        mailPaymentConfirmation(deps, event),
      ),
      'packet.settled': sendMailHandler('packet of codes', (event) => mailPacket(deps, event)),
      'code.redeemed': sendMailHandler('redeemed code', (event) => mailRedeemedCode(deps, event)),
      'payment.processing': sendMailHandler('payment in processing', (event) =>
        mailProcessingPayment(deps, event),
      ),
      'payment.failed': sendMailHandler('failed payment', (event) =>
        mailFailedPayment(deps, event),
      ),
      'payment.withdrawn': sendMailHandler('withdrawal', (event) => mailWithdrawal(deps, event)),
      'payment.refunded': sendMailHandler('refund', (event) => mailRefund(deps, event)),
      'payment.searched': sendMailHandler('payment search', (event) =>
        mailSearchResult(deps, event),
      ),
      'account.deleted': sendMailHandler('deleted account', (event) =>
        mailAccountDeleted(deps, event),
      ),
      'account.inactive': sendMailHandler('inactive account', (event) =>
        mailAccountInactive(deps, event),
      ),
      'account.disabled': sendMailHandler('disabled account', (event) =>
        mailAccountDisabled(deps, event),
      ),
      'account.enabled': sendMailHandler('enabled account', (event) =>
        mailAccountEnabled(deps, event),
      ),
      'password.link_requested': sendMailHandler('password link', (event) =>
        mailPasswordLink(deps, event),
      ),
      'password.changed': sendMailHandler('changed password', (event) =>
        mailPasswordChanged(deps, event),
      ),
      'service.ending': sendMailHandler('ending service', (event) =>
        mailServiceEnding(deps, event),
      ),
      'message.due': sendMailHandler('message', (event) => mailMessage(deps, event), MESSAGES),
      'message.test_requested': sendMailHandler(
        'test of a message',
        (event) => mailTestMessage(deps, event),
        MESSAGES,
      ),
      'reminder.due': sendMailHandler('reminder', (event) => mailReminder(deps, event)),
      'result.regraded': sendMailHandler('regraded result', ({ payload }) =>
        mailRegrade(deps, payload),
      ),
    },
  };
}

const MESSAGES = [{ topic: 'messages' }] as const satisfies readonly LiveMessage[];

/**
 * Sends a mail for each event. Each mail is sent once; the batch is recorded at the end.
 *
 * @param what for the log
 * @param live what screens should read again afterwards
 */
function sendMailHandler<N extends EventOf<'mail'>>(
  what: string,
  send: (event: DeliveredEvent<N>) => Promise<MailOutcome>,
  live: readonly LiveMessage[] = [],
): Handler<N> {
  return async (events, { once, log }) => {
    for (const event of events) {
      const outcome = await send(event);
      if (typeof outcome === 'object') throw new RetryLater(outcome.retryInMs);
      const level = outcome === 'refused' ? 'error' : 'info';
      log[level]({ event: event.id, outcome }, what);
    }
    await once(async (tx) => {
      await forgetUnsentMails(
        tx,
        events.map(({ id }) => id),
      );
      await notifyLive(tx, live);
    });
  };
}
