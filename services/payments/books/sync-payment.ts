import { withTransaction } from '#database/pool.ts';
import { AppError, type ErrorCode } from '#errors/app-error.ts';
import {
  findPaymentByIntent,
  storeIntentId,
  type Payment,
  type PaymentDeps,
} from '#payments/payment.ts';
import {
  isPaidInFull,
  paymentIdOf,
  readStripeState,
  type StripeState,
} from '#payments/provider/stripe.ts';
import { recordStripeState } from './record-stripe-state.ts';
import { setPasswordAfterSettlement, ensureOwner, type Owner } from './registration-owner.ts';

interface SyncOptions {
  /** For a registration: chosen by the learner, when the learner is the caller. */
  password?: string | undefined;
  /** Does not settle a paid registration without an account: its learner is expected to confirm it. */
  leaveRegistration?: boolean;
}

/**
 * Makes our books say of a payment what Stripe says. It is the only way in which a payment is settled,
 * cancelled, refunded or disputed. It is idempotent. Callers are the confirm calls, the worker for
 * Stripe's webhook events, and the reconciliation.
 *
 * Stripe's state is written only when the payment has not changed since the read began; otherwise it is
 * read again. So the last writer has read the newest state.
 *
 * @throws AppError `payment_not_found` (not ours), `email_refused` (recorded for the administrator),
 *   `payment_provider_failed`, `identity_provider_failed`, `password_refused`, and with a password
 *   `account_disabled` (settled earlier, and the account has ended since)
 */
export async function syncPayment(
  deps: PaymentDeps,
  paymentIntentId: string,
  options: SyncOptions = {},
): Promise<Payment> {
  const { withdrawalKey } = deps;
  for (;;) {
    const payment = await findOwnPayment(deps, paymentIntentId);
    const stripeState = await readStripeState(deps.stripe, paymentIntentId);
    const owner = await ensureOwnerIfPaid(deps, payment, stripeState, options);
    const written = await withTransaction(deps.db, (tx) =>
      recordStripeState(tx, payment, stripeState, { withdrawalKey, owner }),
    );
    if (!written) continue;
    if (options.password && payment.state === 'settled' && payment.purpose === 'registration') {
      await setPasswordAfterSettlement(deps, payment, options.password);
    }
    return written;
  }
}

const PERMANENT_ERRORS: ReadonlySet<ErrorCode> = new Set([
  // An intent for something else that the same Stripe account sells, or of another Stripe account.
  'payment_not_found',
  // Recorded for the administrator.
  'email_refused',
]);

/** Whether an error of `syncPayment` is permanent, so that a retry cannot help. */
export function isPermanentError(error: unknown): boolean {
  return error instanceof AppError && PERMANENT_ERRORS.has(error.code);
}

/** Finds our row of an intent, also after a crash between creating the intent and storing its id. */
async function findOwnPayment({ db, stripe }: PaymentDeps, intentId: string): Promise<Payment> {
  const known = await findPaymentByIntent(db, intentId);
  if (known) return known;
  const { intent } = await readStripeState(stripe, intentId);
  const paymentId = paymentIdOf(intent);
  const stored = paymentId ? await storeIntentId(db, paymentId, intentId) : null;
  const payment = stored?.intentId === intentId ? await findPaymentByIntent(db, intentId) : null;
  if (!payment) throw new AppError('payment_not_found');
  return payment;
}

/**
 * Creates the identity outside the transaction: no network call is made while locks are held.
 *
 * @returns null when there is no registration to settle
 */
async function ensureOwnerIfPaid(
  deps: PaymentDeps,
  payment: Payment,
  stripeState: StripeState,
  { password, leaveRegistration }: SyncOptions,
): Promise<Owner | null> {
  if (payment.purpose !== 'registration' || payment.state === 'settled') return null;
  if (stripeState.intent.status !== 'succeeded' || !isPaidInFull(stripeState, payment)) return null;
  if (leaveRegistration) return null;
  try {
    return await ensureOwner(deps, { ...payment, source: 'payment' }, password);
  } catch (error) {
    if (error instanceof AppError && error.code === 'email_refused') {
      await withTransaction(deps.db, (tx) =>
        recordStripeState(tx, payment, stripeState, {
          withdrawalKey: deps.withdrawalKey,
          owner: null,
          emailRefused: true,
        }),
      );
    }
    throw error;
  }
}
