import { AppError } from '#errors/app-error.ts';
import { confirmPayment, type NotYet, type Settled } from './confirm-payment.ts';
import { findPaymentByIntent, type PaymentDeps } from './payment.ts';

/**
 * Settles a payment that this account has made. Calling it again changes nothing.
 *
 * @throws AppError `payment_not_found`, also for the payment of another account, and those of
 *   `confirmPayment`
 */
export async function confirmExtension(
  deps: PaymentDeps,
  accountId: string,
  paymentIntentId: string,
): Promise<Settled | NotYet> {
  const payment = await findPaymentByIntent(deps.db, paymentIntentId);
  if (payment?.account_id !== accountId) throw new AppError('payment_not_found');
  return confirmPayment(deps, paymentIntentId);
}
