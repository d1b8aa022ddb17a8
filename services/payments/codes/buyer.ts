import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { findReceipt, type Receipt } from '#payments/books/receipt.ts';
import { syncPayment } from '#payments/books/sync-payment.ts';
import { withdrawalDeadline } from '#payments/books/withdrawal.ts';
import { findPayment, type Payment, type PaymentDeps } from '#payments/payment.ts';
import { type Refund, requestRefund } from '#payments/refund.ts';
import { openSealedCodes, paymentOfKey } from './code.ts';
import { type CodeCounts, countCodes } from './packet-codes.ts';

/** A packet as its buyer sees it: used and unused, never by whom. Amounts are øre. */
export interface Packet extends CodeCounts {
  payment: Payment;
  codes: number;
  organisation: string;
  organisation_number: string | null;
  /** Until when the codes can be redeemed; null before the payment is settled. */
  expires_at: Date | null;
  /** The codes for the buyer's page, until the buyer has kept them; null afterwards. */
  kept_back: string[] | null;
  /** The codes for the mail, which needs them also when the buyer kept them before it was sent; null afterwards. */
  mailable: string[] | null;
  receipt: Receipt | null;
  refunds: Refund[];
  /** The refund of the unused codes; null when it is not possible, or no longer. */
  refundable: { until: Date; ore: number } | null;
}

type BuyerDeps = Pick<PaymentDeps, 'db' | 'withdrawalKey'>;

/**
 * Reads a packet for its buyer. Asks Stripe while it is not settled, so that the codes are there as soon as they are paid,
 * also when no webhook has arrived.
 *
 * @param key from `packetKeyOf`: it was given to the browser that started the payment, and mailed to the buyer
 * @throws AppError `packet_not_found`, also for a wrong key; `payment_provider_failed`
 */
export async function readPacket(deps: PaymentDeps, key: string): Promise<Packet> {
  const payment = await findByKey(deps, key);
  const { payment_intent_id: intentId, state } = payment;
  const current = intentId && state === 'open' ? await syncPayment(deps, intentId) : payment;
  return toPacket(deps, current);
}

/** A settled packet and until when its unused codes can be refunded, for its mails. */
export async function readSettledPacket(
  deps: BuyerDeps,
  paymentId: string,
): Promise<Packet & { refundUntil: Date }> {
  const payment = await findPayment(deps.db, paymentId);
  if (!payment?.settled_at) throw new Error(`Payment ${paymentId} is not settled`);
  return {
    ...(await toPacket(deps, payment)),
    refundUntil: withdrawalDeadline(payment.settled_at),
  };
}

async function findByKey({ db, withdrawalKey }: BuyerDeps, key: string): Promise<Payment> {
  const paymentId = paymentOfKey(withdrawalKey, key);
  const payment = paymentId ? await findPayment(db, paymentId) : null;
  if (payment?.purpose !== 'packet') throw new AppError('packet_not_found');
  return payment;
}

interface PacketRow {
  codes: number;
  organisation: string;
  organisation_number: string | null;
  sealed_codes: Buffer | null;
  is_kept: boolean;
  expires_at: Date | null;
  now: Date;
}

async function toPacket(
  { db, withdrawalKey }: { db: Database | Transaction; withdrawalKey: string },
  payment: Payment,
): Promise<Packet> {
  const { rows } = await db.query<PacketRow>(
    `select codes, organisation, organisation_number, sealed_codes, expires_at,
       kept_at is not null as is_kept, clock_timestamp() as now
     from code_packet where payment_id = $1`,
    [payment.id],
  );
  const { sealed_codes: sealed, is_kept, now, ...row } = rows[0]!;
  const refunds = await db.query<Refund>(
    'select * from refund where payment_id = $1 order by created_at desc, id desc',
    [payment.id],
  );
  const counts = await countCodes(db, payment.id);
  const packet = { ...row, ...counts, payment, refunds: refunds.rows };
  const mailable = sealed && openSealedCodes(withdrawalKey, payment.id, sealed);
  return {
    ...packet,
    mailable,
    kept_back: is_kept ? null : mailable,
    receipt: await findReceipt(db, payment.id),
    refundable: refundOf(packet, now),
  };
}

/** The price of the unused codes, within the time for withdrawal, less what was refunded for them already. */
function refundOf(
  { payment, codes, unused, refunds }: Pick<Packet, 'payment' | 'codes' | 'unused' | 'refunds'>,
  now: Date,
): Packet['refundable'] {
  const { settled_at, intent_status, dispute, amount_ore, refunded_ore } = payment;
  const disputed = dispute === 'open' || dispute === 'lost';
  if (!settled_at || intent_status !== 'succeeded' || disputed) return null;
  const until = withdrawalDeadline(settled_at);
  if (now > until) return null;
  const requested = refunds
    .filter(({ state }) => state === 'requested')
    .reduce((sum, refund) => sum + refund.amount_ore, 0);
  const left = amount_ore - refunded_ore - requested;
  const ore = Math.min((amount_ore / codes) * unused, left);
  return ore > 0 ? { until, ore } : null;
}

/**
 * Deletes the encrypted codes, because their buyer has kept them. When the mail is not sent yet, they wait for it: the page
 * has said that the mail is the only copy. Idempotent.
 *
 * @throws AppError `packet_not_found`
 */
export async function forgetKeptCodes(deps: BuyerDeps, key: string): Promise<void> {
  const { id } = await findByKey(deps, key);
  await deps.db.query(
    `update code_packet set kept_at = coalesce(kept_at, clock_timestamp()),
       sealed_codes = case when mailed_at is null then sealed_codes end
     where payment_id = $1`,
    [id],
  );
}

/** Records that the mail with the codes was sent or refused, and deletes them if their buyer has kept them. Idempotent. */
export async function recordPacketMailed(db: Database, paymentId: string): Promise<void> {
  await db.query(
    `update code_packet set mailed_at = coalesce(mailed_at, clock_timestamp()),
       sealed_codes = case when kept_at is null then sealed_codes end
     where payment_id = $1`,
    [paymentId],
  );
}

/**
 * Withdraws all unused codes of a packet and requests their refund. A repeated call returns the same refund.
 *
 * @param refundOre the amount that the buyer was shown and agreed to
 * @throws AppError `packet_not_found`, `withdrawal_over`, `payment_not_refundable` (nothing is unused, or it is disputed),
 *   `withdrawal_changed` (a code was used meanwhile; details: `refund_amount`, øre)
 */
export async function refundUnused(
  deps: BuyerDeps,
  key: string,
  refundOre: number,
): Promise<Refund> {
  const { id: paymentId } = await findByKey(deps, key);
  return withTransaction(deps.db, async (tx) => {
    // A second tab waits for the first and sees its refund; redeeming waits until the codes are withdrawn.
    await tx.query('select from payment where id = $1 for update', [paymentId]);
    await tx.query('select from code_packet where payment_id = $1 for update', [paymentId]);
    const payment = (await findPayment(tx, paymentId))!;
    const { refundable, refunds, unused } = await toPacket({ ...deps, db: tx }, payment);
    const last = refunds.find(({ reason }) => reason === 'withdrawal');
    if (last?.amount_ore === refundOre && unused === 0) return last;
    if (!refundable) {
      const isOver = payment.settled_at && new Date() > withdrawalDeadline(payment.settled_at);
      throw new AppError(isOver ? 'withdrawal_over' : 'payment_not_refundable');
    }
    if (refundable.ore !== refundOre) {
      throw new AppError('withdrawal_changed', { details: { refund_amount: refundable.ore } });
    }
    return requestRefund(tx, {
      paymentId,
      amountOre: refundOre,
      reason: 'withdrawal',
      requestedBy: null,
    });
  });
}
