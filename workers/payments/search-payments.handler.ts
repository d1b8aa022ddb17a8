import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import { searchPayments } from '@proveklar/services/payments/search-payments.ts';
import type { Handler } from '#consumer.ts';

/** Looks for payments that somebody misses. Each part is idempotent; the batch is then recorded. */
export function searchPaymentsHandler(deps: PaymentDeps): Handler<'payment.search_requested'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      const found = await searchPayments(deps, payload.search_id);
      log.info({ search: payload.search_id, found }, 'payment search');
    }
    await once(async () => {});
  };
}
