import { resumeDeletion } from '@proveklar/services/privacy/delete-user.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import type { Handler } from '#consumer.ts';

/**
 * Completes deletions that stopped halfway. On this queue, because a payment that was begun is
 * cancelled first. Each part is idempotent; the batch is then recorded.
 */
export function completeDeletionHandler(
  deps: PaymentDeps,
): Handler<'account.deletion_interrupted'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      await resumeDeletion(deps, payload.account_id);
      log.info({ account: payload.account_id }, 'deletion completed');
    }
    await once(async () => {});
  };
}
