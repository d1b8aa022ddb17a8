import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { ErrorCode } from '#errors/error-messages.ts';
import { findPaymentByIntent, markCancelled, type Payment, type PaymentDeps } from './payment.ts';
import { retrieveIntent } from './payment-intent.ts';
import { settlePayment } from './settle-payment.ts';

interface StripeEventRow {
  type: string;
  object_id: string;
  received_at: Date;
}

export type ProcessOutcome = 'done' | 'ignored' | { retryInMs: number };

/**
 * Acts on an event that Stripe sent. Only the object's id is taken from it: its state is read from
 * Stripe, so that order and repetition do not matter.
 *
 * A learner who registers is normally back from paying within seconds and confirms by themselves,
 * with the password that only they know. So a registration is left to them for `graceMs`; after
 * that the account is made without a password, and the identity provider mails a link to choose one.
 */
export async function processStripeEvent(
  deps: PaymentDeps,
  stripeEventId: string,
  graceMs: number,
): Promise<ProcessOutcome> {
  const event = await findEvent(deps.db, stripeEventId);
  const payment = event && (await findPaymentByIntent(deps.db, event.object_id));
  if (event?.type === 'payment_intent.canceled' && payment) {
    const { status } = await retrieveIntent(deps, event.object_id);
    if (status === 'canceled') await markCancelled(deps.db, payment.id);
    return 'done';
  }
  if (event?.type !== 'payment_intent.succeeded') return 'ignored';
  const waited = Date.now() - event.received_at.getTime();
  if (isUnsettledRegistration(payment) && waited < graceMs) return { retryInMs: graceMs - waited };
  return settle(deps, event.object_id);
}

async function settle(deps: PaymentDeps, paymentIntentId: string): Promise<ProcessOutcome> {
  try {
    const { payment } = await settlePayment(deps, paymentIntentId);
    if (payment.purpose === 'registration') await mailPasswordLink(deps, payment);
    return 'done';
  } catch (error) {
    if (error instanceof AppError && NOTHING_TO_DO.has(error.code)) return 'ignored';
    throw error;
  }
}

const NOTHING_TO_DO: ReadonlySet<ErrorCode> = new Set([
  // An intent of something else that the same Stripe account sells.
  'payment_not_found',
  // Not yet paid: Stripe tells us again when it is.
  'payment_not_completed',
  // Settled before, for an account that is no more.
  'account_disabled',
]);

function isUnsettledRegistration(payment: Payment | null): boolean {
  return payment?.purpose === 'registration' && payment.state === 'open';
}

async function mailPasswordLink({ identity }: PaymentDeps, payment: Payment): Promise<void> {
  const user = await identity.findByUid(payment.id);
  if (user && !user.hasPassword && !user.hasSignedIn) await identity.sendPasswordLink(user.email);
}

async function findEvent(db: Queryable, id: string): Promise<StripeEventRow | null> {
  const { rows } = await db.query<StripeEventRow>(
    'select type, object_id, received_at from stripe_event where id = $1',
    [id],
  );
  return rows[0] ?? null;
}
