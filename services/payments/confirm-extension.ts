import type { Account } from '#accounts/account.ts';
import { AppError } from '#errors/app-error.ts';
import { findPaymentByIntent, type PaymentDeps } from './payment.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * Settles a payment that this account has made. Calling it again changes nothing.
 *
 * @throws AppError `payment_not_found`, also for the payment of another account, and those of
 *   `settlePayment`
 */
export async function confirmExtension(
  deps: PaymentDeps,
  accountId: string,
  paymentIntentId: string,
): Promise<Account> {
  const payment = await findPaymentByIntent(deps.db, paymentIntentId);
  if (payment?.account_id !== accountId) throw new AppError('payment_not_found');
  const { account } = await settlePayment(deps, paymentIntentId);
  return account;
}
