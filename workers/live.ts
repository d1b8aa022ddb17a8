import type { DeliveredEvent } from '@proveklar/services/events/catalogue.ts';
import { type LiveMessage, notifyLive } from '@proveklar/services/live/live.ts';
import type { Consumer, Delivery } from './consumer.ts';

/** The live queue: events of which clients are told, and nothing else is done. */
export const liveConsumer: Consumer<'live'> = {
  queue: 'live',
  concurrency: 4,
  handlers: {
    'payment.succeeded': tellAccount,
    'payment.changed': tellPayment,
    'account.changed': tellAccount,
    'result.regraded': tellAccount,
    'feedback.closed': tellFeedback,
    'feedback.reopened': tellFeedback,
  },
};

/**
 * Tells an account's clients that it changed, or its service, or its results. The streams of one
 * that may not come in any more end by it.
 */
function tellAccount(
  events: DeliveredEvent<'payment.succeeded' | 'account.changed' | 'result.regraded'>[],
  { once }: Delivery,
) {
  return once((tx) =>
    notifyLive(
      tx,
      events.map(({ payload }) => ({ topic: 'account', account_id: payload.account_id })),
    ),
  );
}

/** Tells administrators that payments changed, and the accounts that they belong to. */
function tellPayment(events: DeliveredEvent<'payment.changed'>[], { once }: Delivery) {
  return once((tx) =>
    notifyLive(tx, [
      { topic: 'payments' },
      ...events.flatMap(({ payload: { account_id } }): LiveMessage[] =>
        account_id ? [{ topic: 'account', account_id }] : [],
      ),
    ]),
  );
}

/** Tells administrators that reports were closed or opened again. */
function tellFeedback(
  _events: DeliveredEvent<'feedback.closed' | 'feedback.reopened'>[],
  { once }: Delivery,
) {
  return once((tx) => notifyLive(tx, [{ topic: 'feedback' }]));
}
