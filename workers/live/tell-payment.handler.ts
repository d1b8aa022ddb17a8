import type { LiveMessage } from '@proveklar/services/live/messages.ts';
import { notifyLive } from '@proveklar/services/live/notify.ts';
import type { Handler } from '#consumer.ts';

/** Tells administrators that payments changed, and whoever they are of. */
export const tellPaymentHandler: Handler<'payment.changed'> = (events, { once }) =>
  once((tx) =>
    notifyLive(tx, [
      { topic: 'payments' },
      ...events.flatMap(({ payload: { account_id } }): LiveMessage[] =>
        account_id ? [{ topic: 'account', account_id }] : [],
      ),
    ]),
  );
