import type { DeliveredEvent } from '@proveklar/services/events/catalogue.ts';
import type { Consumer, HandlerContext } from '@proveklar/services/events/run-consumer.ts';
import { type LiveMessage, notifyLive } from '@proveklar/services/live/live.ts';

/** The live queue: notifies clients of events and has no other effect. */
export const liveConsumer: Consumer<'live'> = {
  queue: 'live',
  concurrency: 4,
  handlers: {
    'payment.succeeded': notifyAccount,
    'payment.changed': notifyPayment,
    'account.changed': notifyAccount,
    'result.regraded': notifyAccount,
    'feedback.closed': notifyFeedback,
    'feedback.reopened': notifyFeedback,
  },
};

/**
 * Notifies an account's clients that the account, its service or its results changed. Ends the streams
 * of an account that lost its access.
 */
function notifyAccount(
  events: DeliveredEvent<'payment.succeeded' | 'account.changed' | 'result.regraded'>[],
  { once }: HandlerContext,
) {
  return once((tx) =>
    notifyLive(
      tx,
      events.map(({ payload }) => ({ topic: 'account', account_id: payload.account_id })),
    ),
  );
}

/** Notifies administrators and the owners of changed payments. */
function notifyPayment(events: DeliveredEvent<'payment.changed'>[], { once }: HandlerContext) {
  return once((tx) =>
    notifyLive(tx, [
      { topic: 'payments' },
      ...events.flatMap(({ payload: { account_id } }): LiveMessage[] =>
        account_id ? [{ topic: 'account', account_id }] : [],
      ),
    ]),
  );
}

/** Notifies administrators that reports were closed or reopened. */
function notifyFeedback(
  _events: DeliveredEvent<'feedback.closed' | 'feedback.reopened'>[],
  { once }: HandlerContext,
) {
  return once((tx) => notifyLive(tx, [{ topic: 'feedback' }]));
}
