import { closePayment } from './close-payment.ts';
import type { Payment, PaymentDeps } from './payment.ts';

/**
 * Cancels the payment for more service that an account has begun, if any, so that nobody pays for an
 * account that is no more. One that was paid meanwhile is settled.
 *
 * @throws AppError `payment_provider_failed`
 */
export async function closeOpenPayment(deps: PaymentDeps, accountId: string): Promise<void> {
  const { rows } = await deps.db.query<Payment>(
    `select * from payment where account_id = $1 and state = 'open' and purpose = 'extension'`,
    [accountId],
  );
  for (const payment of rows) await closePayment(deps, payment, 'account_closed');
}
