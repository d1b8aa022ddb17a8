import { notifyLive } from '@proveklar/services/live/notify.ts';
import type { Handler } from '#consumer.ts';

/** Tells an account's clients that its service changed. */
export const tellAccountHandler: Handler<'payment.succeeded'> = (events, { once }) =>
  once((tx) =>
    notifyLive(
      tx,
      events.map(({ payload }) => ({ topic: 'account', account_id: payload.account_id })),
    ),
  );
