import Stripe from 'stripe';
import type { RefundReason, RefundState } from '@proveklar/contract/payment.ts';
import { type Actor, nameOf } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { syncPayment } from './books/sync-payment.ts';
import { findPayment, type Payment, type PaymentDeps } from './payment.ts';
import { isStripeFailure, stripeError } from './provider/stripe.ts';

interface RefundOrder {
  paymentId: string;
  /** Øre; null for all that is left. */
  amountOre: number | null;
  /** Kept in the audit log. */
  note: string | null;
  /** Becomes the refund's id: the same order sent again is the same refund. */
  key: string;
  actor: Actor;
}

export interface Refund {
  id: string;
  payment_id: string;
  stripe_refund_id: string | null;
  amount_ore: number;
  reason: RefundReason;
  state: RefundState;
  attempt: number;
  requested_by: string | null;
  failure: string | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * Orders money to be paid back, once for each key; a worker makes the refund at Stripe.
 *
 * @throws AppError those of `requestRefund`; `validation_failed` for a key of another order
 */
export async function refundPayment(db: Database, order: RefundOrder): Promise<Refund> {
  const { paymentId, amountOre, actor } = order;
  return withTransaction(db, async (tx) => {
    // The second of two clicks waits for the first, and then finds what it ordered.
    await tx.query('select from payment where id = $1 for update', [paymentId]);
    const ordered = await findRefund(tx, order.key);
    if (ordered) return requireSameOrder(ordered, order);
    const refund = await requestRefund(tx, {
      paymentId,
      amountOre,
      reason: 'administrator',
      requestedBy: nameOf(actor),
      id: order.key,
    });
    await recordAction(tx, {
      actor,
      action: 'payment.refund_requested',
      subject: paymentId,
      details: { amount: refund.amount_ore / 100, note: order.note },
    });
    return refund;
  });
}

function requireSameOrder(ordered: Refund, { paymentId, amountOre }: RefundOrder): Refund {
  const isSame =
    ordered.payment_id === paymentId && ordered.amount_ore === (amountOre ?? ordered.amount_ore);
  if (isSame) return ordered;
  throw new AppError('validation_failed', {
    message: 'idempotency-key is that of another refund',
    details: { field: 'idempotency-key', part: 'headers' },
  });
}

interface RefundWish {
  paymentId: string;
  /** Øre; null for all that is left. */
  amountOre: number | null;
  reason: Exclude<RefundReason, 'stripe'>;
  /** The administrator's address; null for a learner. */
  requestedBy: string | null;
  /** The refund's id to be; by default the database's choice. */
  id?: string | undefined;
}

/**
 * Notes that money is to be paid back; a worker then makes the refund at Stripe. Refunds of one
 * payment are noted one after another, so that together they are never more than was paid.
 *
 * @throws AppError `payment_not_found`, `payment_not_refundable` (not paid, disputed, or nothing left),
 *   `refund_too_large` (details: `left_ore`)
 */
export async function requestRefund(tx: Transaction, wish: RefundWish): Promise<Refund> {
  const { rows } = await tx.query<Payment>('select * from payment where id = $1 for update', [
    wish.paymentId,
  ]);
  const payment = rows[0];
  if (!payment) throw new AppError('payment_not_found');
  const leftOre = await leftOreOf(tx, payment);
  const paid = payment.intent_status === 'succeeded';
  const disputed = payment.dispute === 'open' || payment.dispute === 'lost';
  if (!paid || disputed || leftOre <= 0) throw new AppError('payment_not_refundable');
  const amountOre = wish.amountOre ?? leftOre;
  if (amountOre > leftOre) {
    throw new AppError('refund_too_large', { details: { left_ore: leftOre } });
  }
  const inserted = await tx.query<Refund>(
    `insert into refund (id, payment_id, amount_ore, reason, requested_by)
     values (coalesce($5, uuidv7()), $1, $2, $3, $4) returning *`,
    [payment.id, amountOre, wish.reason, wish.requestedBy?.toLowerCase() ?? null, wish.id ?? null],
  );
  const refund = inserted.rows[0]!;
  await emit(tx, 'refund.requested', { refund_id: refund.id });
  await emit(tx, 'payment.changed', { payment_id: payment.id, account_id: payment.account_id });
  return refund;
}

/** Øre that can still be paid back: neither paid back nor about to be. */
async function leftOreOf(tx: Transaction, payment: Payment): Promise<number> {
  const { rows } = await tx.query<{ requested: number }>(
    `select coalesce(sum(amount_ore), 0)::int as requested from refund
     where payment_id = $1 and state = 'requested'`,
    [payment.id],
  );
  return payment.amount_ore - payment.refunded_ore - rows[0]!.requested;
}

/** A refund by our own id. */
export async function findRefund(
  tx: Pick<Transaction, 'query'>,
  id: string,
): Promise<Refund | null> {
  const { rows } = await tx.query<Refund>('select * from refund where id = $1', [id]);
  return rows[0] ?? null;
}

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
      if (!(await isMadeAtStripe(deps, payment, refund)))
        await createAtStripe(deps, payment, refund);
    } catch (error) {
      if (!isRefused(error)) throw await afterFailure(deps, refund, error);
      await noteRefusal(deps, payment, refund, error);
    }
  }
  await syncPayment(deps, payment.payment_intent_id);
  return (await findRefund(deps.db, refundId))!;
}

async function isMadeAtStripe(
  { stripe }: PaymentDeps,
  payment: Payment,
  refund: Refund,
): Promise<boolean> {
  const made = await stripe.refunds.list({
    payment_intent: payment.payment_intent_id!,
    limit: 100,
  });
  return made.data.some(({ metadata }) => metadata?.refund_id === refund.id);
}

async function createAtStripe(
  { stripe }: PaymentDeps,
  payment: Payment,
  refund: Refund,
): Promise<void> {
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
