import { readAccount, type Account } from '#accounts/account.ts';
import { AppError } from '#errors/app-error.ts';
import type { Payment, PaymentDeps } from './payment.ts';
import { syncPayment } from './sync-payment.ts';

/** The bank, or its customer, is not done yet. Nothing is wrong: ask again later. */
export interface NotYet {
  status: 'processing' | 'requires_action';
}

/** A payment that became days of service. */
export interface Settled {
  status: 'settled';
  payment: Payment;
  account: Account;
}

/**
 * Settles a payment that its learner says is made, or says that it is not yet.
 *
 * @throws AppError `payment_not_completed` (no card has paid it), `payment_cancelled`,
 *   `payment_expired` (nobody paid within a day), `payment_mismatch` (Stripe took another amount),
 *   and those of `syncPayment`
 */
export async function confirmPayment(
  deps: PaymentDeps,
  paymentIntentId: string,
  password?: string,
): Promise<Settled | NotYet> {
  const payment = await syncPayment(deps, paymentIntentId, { password });
  if (payment.state === 'settled') {
    const account = await readAccount(deps.db, payment.account_id!);
    if (account.state !== 'active') throw new AppError('account_disabled');
    return { status: 'settled', payment, account };
  }
  const { intent_status: status } = payment;
  if (status === 'processing') return { status: 'processing' };
  if (status === 'requires_action') return { status: 'requires_action' };
  if (status === 'succeeded') throw new AppError('payment_mismatch');
  if (payment.state === 'cancelled') {
    const abandoned = payment.cancel_reason === 'abandoned';
    throw new AppError(abandoned ? 'payment_expired' : 'payment_cancelled');
  }
  throw new AppError('payment_not_completed', { details: { status } });
}
