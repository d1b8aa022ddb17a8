import { AppError } from '#errors/app-error.ts';
import { confirmPayment, type NotYet, type Settled } from './confirm-payment.ts';
import type { PaymentDeps } from './payment.ts';

/**
 * Settles a payment that this account has made. Calling it again changes nothing.
 *
 * @throws AppError `payment_not_found`, also for the payment of another account, `account_disabled`,
 *   and those of `confirmPayment`
 */
export async function confirmExtension(
  deps: PaymentDeps,
  accountId: string,
  paymentIntentId: string,
): Promise<Settled | NotYet> {
  // What is paid is settled by Stripe's event too: only the answer depends on the account.
  const { rows } = await deps.db.query<{ state: string }>(
    `select account.state from payment join account on account.id = account_id
     where payment_intent_id = $1 and account_id = $2`,
    [paymentIntentId, accountId],
  );
  if (!rows[0]) throw new AppError('payment_not_found');
  if (rows[0].state !== 'active') throw new AppError('account_disabled');
  return confirmPayment(deps, paymentIntentId);
}
