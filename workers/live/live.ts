import type { Consumer } from '#consumer.ts';
import { tellAccountHandler } from './tell-account.handler.ts';
import { tellFeedbackHandler } from './tell-feedback.handler.ts';
import { tellPaymentHandler } from './tell-payment.handler.ts';

/** The live queue: events of which clients are told, and nothing else is done. */
export const liveConsumer: Consumer<'live'> = {
  queue: 'live',
  concurrency: 4,
  handlers: {
    'payment.succeeded': tellAccountHandler,
    'payment.changed': tellPaymentHandler,
    'account.changed': tellAccountHandler,
    'result.regraded': tellAccountHandler,
    'feedback.closed': tellFeedbackHandler,
    'feedback.reopened': tellFeedbackHandler,
  },
};
