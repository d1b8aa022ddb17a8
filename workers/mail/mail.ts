import type { MailDeps } from '@proveklar/services/mail/send-once.ts';
import type { Consumer } from '#consumer.ts';
import { confirmPaymentHandler } from './confirm-payment.handler.ts';
import { tellRegradedHandler } from './tell-regraded.handler.ts';

/** The mail queue: mostly waiting for the SMTP server, so several at a time. */
export function mailConsumer(deps: MailDeps): Consumer<'mail'> {
  return {
    queue: 'mail',
    concurrency: 4,
    handlers: {
      'payment.succeeded': confirmPaymentHandler(deps),
      'result.regraded': tellRegradedHandler(deps),
    },
  };
}
