import type { MailDeps } from '@proveklar/services/mail/send-once.ts';
import type { Consumer } from '#consumer.ts';
import { confirmPaymentHandler } from './confirm-payment.handler.ts';

/** The mail queue: mostly waiting for the SMTP server, so several at a time. */
export function mailConsumer(deps: MailDeps): Consumer<'mail'> {
  return {
    queue: 'mail',
    concurrency: 4,
    handlers: { 'payment.succeeded': confirmPaymentHandler(deps) },
  };
}
