import { withTransaction } from '#database/pool.ts';
import { AppError, type ErrorCode } from '#errors/app-error.ts';
import {
  findPaymentByIntent,
  noteIntent,
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
import { choosePasswordAfterwards, ensureOwner, type Owner } from './registration-owner.ts';

interface SyncOptions {
  /** For a registration: what the learner chose, when the learner is the caller. */
  password?: string | undefined;
  /** Leaves a registration that is paid and has no account yet to its learner. */
  leaveRegistration?: boolean;
}

/**
 * Makes our books say of a payment what Stripe says: the one way in which a payment is settled,
 * cancelled, refunded or disputed, whoever calls it and however often. Callers are the confirm
 * calls, the worker that hears of Stripe's events, and the reconciliation.
 *
 * What was read from Stripe is only written when nobody else has written since the reading began;
 * otherwise it is read again. So the last one to write has read the newest state.
 *
 * @throws AppError `payment_not_found` (not ours), `email_refused` (noted for the administrator),
 *   `payment_provider_failed`, `identity_provider_failed`, `password_refused`, and with a password
 *   `account_disabled` (settled long ago, for an account that is no more)
 */
export async function syncPayment(
  deps: PaymentDeps,
  paymentIntentId: string,
  options: SyncOptions = {},
): Promise<Payment> {
  const { withdrawalKey } = deps;
  for (;;) {
    const payment = await paymentOf(deps, paymentIntentId);
    const seen = await readStripeState(deps.stripe, paymentIntentId);
    const owner = await ownerOf(deps, payment, seen, options);
    const written = await withTransaction(deps.db, (tx) =>
      recordStripeState(tx, payment, seen, { withdrawalKey, owner }),
    );
    if (!written) continue;
    if (options.password && payment.state === 'settled' && payment.purpose === 'registration') {
      await choosePasswordAfterwards(deps, payment, options.password);
    }
    return written;
  }
}

const WITHOUT_RETRY: ReadonlySet<ErrorCode> = new Set([
  // An intent of something else that the same Stripe account sells, or one of another Stripe account.
  'payment_not_found',
  // Noted for the administrator.
  'email_refused',
]);

/** Whether what `syncPayment` threw stays so, whenever it is tried again. */
export function needsNoRetry(error: unknown): boolean {
  return error instanceof AppError && WITHOUT_RETRY.has(error.code);
}

/** Finds our row of an intent, also when we crashed between making the intent and noting its id. */
async function paymentOf({ db, stripe }: PaymentDeps, intentId: string): Promise<Payment> {
  const known = await findPaymentByIntent(db, intentId);
  if (known) return known;
  const { intent } = await readStripeState(stripe, intentId);
  const paymentId = paymentIdOf(intent);
  const noting = paymentId ? await noteIntent(db, paymentId, intentId) : null;
  const payment = noting?.noted === intentId ? await findPaymentByIntent(db, intentId) : null;
  if (!payment) throw new AppError('payment_not_found');
  return payment;
}

/**
 * The identity is made outside the transaction: no call leaves the house while locks are held.
 *
 * @returns null when there is nothing to settle, or nobody to make
 */
async function ownerOf(
  deps: PaymentDeps,
  payment: Payment,
  seen: StripeState,
  { password, leaveRegistration }: SyncOptions,
): Promise<Owner | null> {
  if (payment.purpose !== 'registration' || payment.state === 'settled') return null;
  if (seen.intent.status !== 'succeeded' || !isPaidInFull(seen, payment)) return null;
  if (leaveRegistration) return null;
  try {
    return await ensureOwner(deps, payment, password);
  } catch (error) {
    if (error instanceof AppError && error.code === 'email_refused') {
      await withTransaction(deps.db, (tx) =>
        recordStripeState(tx, payment, seen, {
          withdrawalKey: deps.withdrawalKey,
          owner: null,
          emailRefused: true,
        }),
      );
    }
    throw error;
  }
}
