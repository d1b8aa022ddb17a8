import { notifyLive } from '@proveklar/services/live/notify.ts';
import type { Handler } from '#consumer.ts';

/**
 * Tells an account's clients that it changed, or its service, or its results. The streams of one
 * that may not come in any more end by it.
 */
export const tellAccountHandler: Handler<
  'payment.succeeded' | 'account.changed' | 'result.regraded'
> = (events, { once }) =>
  once((tx) =>
    notifyLive(
      tx,
      events.map(({ payload }) => ({ topic: 'account', account_id: payload.account_id })),
    ),
  );
