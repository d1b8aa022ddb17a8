import { type Account, readAccount } from '#accounts/account.ts';
import { readWaitingDays, type WaitingDays } from '#accounts/credit-ledger.ts';
import { AppError } from '#errors/app-error.ts';
import { throwIfWeakPassword } from '#identity/password-rule.ts';
import { syncPayment } from './books/sync-payment.ts';
import { registerWithCode } from './codes/redeem-code.ts';
import {
  type FreeRegistration,
  registerFree,
  type RegistrationResult,
} from './free-registration.ts';
import { findPaymentByIntent, type Payment, type PaymentDeps } from './payment.ts';

interface Registration extends FreeRegistration {
  /** Optional only with a code, or while the service is free. */
  paymentIntentId: string | undefined;
  /** A code for schools and employers, in place of a payment. */
  code?: string | undefined;
}

/** The bank or its customer has not finished. No error: the client polls again. */
export interface PendingPayment {
  status: 'processing' | 'requires_action';
}

/**
 * Creates the account of a registration whose payment succeeded, or that has a code. Idempotent.
 *
 * @throws AppError `payment_not_found`, `payment_mismatch` (the payment is for another registration; details: `reason`),
 *   `password_refused`, `rate_limited` (while the service is free), and those of `confirmPayment` or `registerWithCode`
 */
export async function confirmRegistration(
  deps: PaymentDeps,
  registration: Registration,
): Promise<RegistrationResult | PendingPayment> {
  const { paymentIntentId, code, password } = registration;
  if (code !== undefined && paymentIntentId !== undefined) {
    throw new AppError('validation_failed', { details: { field: 'code' } });
  }
  // Before anything is created. A learner who has paid chooses another password and does not pay again.
  await throwIfWeakPassword(deps.identity, password, registration);
  if (code !== undefined) return registerWithCode(deps, code, registration);
  if (!paymentIntentId) return registerFree(deps, registration);
  const payment = await findPaymentByIntent(deps.db, paymentIntentId);
  if (!payment) throw new AppError('payment_not_found');
  if (payment.purpose !== 'registration' || payment.email !== registration.email.toLowerCase()) {
    throw new AppError('payment_mismatch', { details: { reason: 'registration' } });
  }
  const result = await confirmPayment(deps, paymentIntentId, password);
  if (result.status !== 'settled') return result;
  const { account_existed: existed, address_reclaimed: passwordMailed } = result.payment;
  const { account, waitingDays } = result;
  return {
    status: 'settled',
    account,
    waitingDays,
    accountExisted: existed ?? false,
    passwordMailed,
  };
}

/** A settled payment. */
interface SettledPayment {
  status: 'settled';
  payment: Payment;
  account: Account;
  /** Days that start later; includes this payment's when it followed a withdrawal without consent. */
  waitingDays: WaitingDays[];
}

/**
 * Settles an account's payment for more service. Idempotent.
 *
 * @throws AppError `payment_not_found`, also for the payment of another account, `account_disabled`,
 *   and those of `confirmPayment`
 */
export async function confirmExtension(
  deps: PaymentDeps,
  accountId: string,
  paymentIntentId: string,
): Promise<SettledPayment | PendingPayment> {
  // The webhook settles a paid payment anyway. The account only decides the answer.
  const { rows } = await deps.db.query<{ state: string }>(
    `select account.state from payment join account on account.id = account_id
     where payment_intent_id = $1 and account_id = $2`,
    [paymentIntentId, accountId],
  );
  if (!rows[0]) throw new AppError('payment_not_found');
  if (rows[0].state !== 'active') throw new AppError('account_disabled');
  return confirmPayment(deps, paymentIntentId);
}

/**
 * Settles a payment that its learner reports as made, if Stripe confirms it.
 *
 * @throws AppError `payment_not_completed` (no card has paid it), `payment_declined` (the bank refused
 *   the card; details: Stripe's `decline_code`), `payment_cancelled`, `payment_expired` (not paid within
 *   a day), `payment_mismatch` (Stripe took another amount), and those of `syncPayment`
 */
export async function confirmPayment(
  deps: PaymentDeps,
  paymentIntentId: string,
  password?: string,
): Promise<SettledPayment | PendingPayment> {
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

/** The error for continuing a cancelled payment. */
export function cancelledError({ cancel_reason: reason }: Payment): AppError {
  if (reason === 'abandoned') return new AppError('payment_expired');
  return new AppError('payment_cancelled', { details: { reason } });
}
