import Stripe from 'stripe';
import { withTransaction } from '#database/pool.ts';
import { emit } from '#events/emit.ts';
import { findPayment, type Payment, type PaymentDeps } from '#payments/payment.ts';
import { findRefund, type Refund } from './request-refund.ts';
import { isStripeFailure, stripeError } from '#payments/stripe/stripe-client.ts';
import { syncPayment } from '#payments/sync-payment.ts';

/**
 * Makes a refund at Stripe that was requested, once, however often it is called: one that Stripe
 * has already is found by our id in its metadata. One that Stripe refuses is noted for the
 * administrator. Then the books are brought to what Stripe says.
 *
 * @throws AppError `payment_provider_failed`: try again
 */
export async function makeRefund(deps: PaymentDeps, refundId: string): Promise<Refund> {
  const refund = await findRefund(deps.db, refundId);
  const payment = refund && (await findPayment(deps.db, refund.payment_id));
  if (!refund || !payment?.payment_intent_id)
    throw new Error(`Refund ${refundId} has no payment at Stripe`);
  if (refund.state === 'requested') {
    try {
      if (!(await isMade(deps, payment, refund))) await make(deps, payment, refund);
    } catch (error) {
      if (!isRefused(error)) throw await afterFailure(deps, refund, error);
      await noteRefusal(deps, payment, refund, error);
    }
  }
  await syncPayment(deps, payment.payment_intent_id);
  return (await findRefund(deps.db, refundId))!;
}

async function isMade({ stripe }: PaymentDeps, payment: Payment, refund: Refund): Promise<boolean> {
  const made = await stripe.refunds.list({
    payment_intent: payment.payment_intent_id!,
    limit: 100,
  });
  return made.data.some(({ metadata }) => metadata?.refund_id === refund.id);
}

async function make({ stripe }: PaymentDeps, payment: Payment, refund: Refund): Promise<void> {
  await stripe.refunds.create(
    {
      payment_intent: payment.payment_intent_id!,
      amount: refund.amount_ore,
      reason: 'requested_by_customer',
      metadata: { refund_id: refund.id, payment_id: payment.id },
    },
    { idempotencyKey: `refund-${refund.id}-${refund.attempt}` },
  );
}

/** Stripe will never make it: disputed meanwhile, or refunded by hand. */
function isRefused(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409;
}

async function noteRefusal(
  { db }: PaymentDeps,
  { id, account_id }: Payment,
  refund: Refund,
  error: Stripe.errors.StripeInvalidRequestError,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    await tx.query(
      `update refund set state = 'failed', failure = $2, updated_at = clock_timestamp()
       where id = $1 and state = 'requested'`,
      [refund.id, error.code ?? error.message],
    );
    await emit(tx, 'payment.changed', { payment_id: id, account_id });
  });
}

/** Stripe replays a failure inside to the same key, so the next try has another. */
async function afterFailure({ db }: PaymentDeps, refund: Refund, error: unknown): Promise<unknown> {
  if (isStripeFailure(error)) {
    await db.query('update refund set attempt = attempt + 1 where id = $1 and attempt = $2', [
      refund.id,
      refund.attempt,
    ]);
  }
  return stripeError(error);
}
