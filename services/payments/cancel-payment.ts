import { AppError } from '#errors/app-error.ts';
import { closePayment } from './close-payment.ts';
import { findPaymentByIntent, type PaymentDeps } from './payment.ts';
import { retrieveIntent } from './payment-intent.ts';

/**
 * Cancels a payment that its learner does not want to make after all. Whoever has its client secret
 * may: so may a registration, which nobody is signed in for.
 *
 * @throws AppError `payment_not_found`, also for a wrong secret; `payment_completed` when it was paid
 *   or is being paid; `payment_provider_failed`
 */
export async function cancelPayment(
  deps: PaymentDeps,
  paymentIntentId: string,
  clientSecret: string,
): Promise<void> {
  const payment = await findPaymentByIntent(deps.db, paymentIntentId);
  if (!payment) throw new AppError('payment_not_found');
  const intent = await retrieveIntent(deps, paymentIntentId);
  if (intent.client_secret !== clientSecret) throw new AppError('payment_not_found');
  const { state } = await closePayment(deps, payment, 'learner');
  if (state !== 'cancelled') throw new AppError('payment_completed');
}
