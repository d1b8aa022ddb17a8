import { mailReclaimed } from '@proveklar/services/payments/mail-password-link.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import type { Handler } from '#consumer.ts';

/**
 * Mails the owner of a reclaimed address the link to choose a password. The batch is recorded after it
 * was sent: only a worker that dies between the two sends it twice.
 */
export function mailReclaimedHandler(deps: PaymentDeps): Handler<'registration.reclaimed'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      await mailReclaimed(deps, payload.payment_id);
      log.info({ payment: payload.payment_id }, 'password link for a reclaimed address');
    }
    await once(async () => {});
  };
}
