import { readAccount, type Account } from '#accounts/account.ts';
import { readWaitingDays, type WaitingDays } from '#accounts/credit-ledger.ts';
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
  /** Days that begin later, this payment's among them if it was made without consent after a withdrawal. */
  waitingDays: WaitingDays[];
}

/**
 * Settles a payment that its learner says is made, or says that it is not yet.
 *
 * @throws AppError `payment_not_completed` (no card has paid it), `payment_declined` (the bank refused
 *   the card; details: Stripe's `decline_code`), `payment_cancelled`, `payment_expired` (nobody paid
 *   within a day), `payment_mismatch` (Stripe took another amount), and those of `syncPayment`
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
    const waitingDays = await readWaitingDays(deps.db, account.id);
    return { status: 'settled', payment, account, waitingDays };
  }
  const { intent_status: status } = payment;
  if (status === 'processing') return { status: 'processing' };
  if (status === 'requires_action') return { status: 'requires_action' };
  if (status === 'succeeded') {
    const message = 'Another amount was paid than was asked for. Do not pay again; write to us.';
    throw new AppError('payment_mismatch', { message, details: { reason: 'amount' } });
  }
  if (payment.state === 'cancelled') throw cancelledError(payment);
  const decline = await lastDecline(deps, payment);
  if (decline) throw new AppError('payment_declined', { details: { decline_code: decline.code } });
  throw new AppError('payment_not_completed', { details: { status } });
}

/** Why a cancelled payment cannot be gone on with. */
export function cancelledError({ cancel_reason: reason }: Payment): AppError {
  if (reason === 'abandoned') return new AppError('payment_expired');
  return new AppError('payment_cancelled', { details: { reason } });
}

async function lastDecline(
  { db }: Pick<PaymentDeps, 'db'>,
  { id }: Payment,
): Promise<{ code: string | null } | undefined> {
  const { rows } = await db.query<{ code: string | null }>(
    'select code from card_decline where payment_id = $1 order by declined_at desc limit 1',
    [id],
  );
  return rows[0];
}
