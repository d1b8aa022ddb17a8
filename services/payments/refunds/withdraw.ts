import { lockAccount } from '#accounts/account.ts';
import { type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/emit.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import { findReceipt } from '#payments/receipts/read-receipts.ts';
import { type Refund, requestRefund } from './request-refund.ts';
import { marksOf, rememberWithdrawal } from './withdrawal-marks.ts';

export interface WithdrawalWish {
  accountId: string;
  paymentId: string;
  /** Øre: what the learner was shown, so that nobody agrees to one amount and gets another. */
  refundOre: number;
}

/**
 * Withdraws from a purchase (see `withdrawalOf`): its refund is requested, and the learner is told
 * by mail. Said again, it answers with the same refund. The days are taken back when Stripe has made
 * the refund. The address is remembered as one that has withdrawn; the card, which only Stripe knows, with
 * the refund.
 *
 * @throws AppError `payment_not_found` (also for somebody else's), `withdrawal_over`,
 *   `payment_not_refundable`, `withdrawal_changed` (details: `refund_amount`, øre), `account_disabled`
 */
export function withdraw(
  { db, withdrawalKey }: Pick<PaymentDeps, 'db' | 'withdrawalKey'>,
  wish: WithdrawalWish,
): Promise<Refund> {
  const { accountId, paymentId, refundOre } = wish;
  return withTransaction(db, async (tx) => {
    if ((await lockAccount(tx, accountId)) !== 'active') throw new AppError('account_disabled');
    const addresses = await lockPayment(tx, wish);
    const receipt = await findReceipt(tx, accountId, paymentId);
    if (!receipt) throw new AppError('payment_not_found');
    const made = receipt.refunds.find(({ reason }) => reason === 'withdrawal');
    if (made?.amount_ore === refundOre) return made;
    const { withdrawal } = receipt;
    if (!withdrawal) {
      throw new AppError(
        receipt.withdrawal_over && !made ? 'withdrawal_over' : 'payment_not_refundable',
      );
    }
    if (withdrawal.refund_ore !== refundOre) {
      throw new AppError('withdrawal_changed', {
        details: { refund_amount: withdrawal.refund_ore },
      });
    }
    const refund = await requestRefund(tx, {
      paymentId,
      amountOre: refundOre,
      reason: 'withdrawal',
      requestedBy: null,
    });
    const marks = addresses.flatMap((address) => marksOf(withdrawalKey, address));
    await rememberWithdrawal(tx, marks, refund.created_at);
    await emit(tx, 'payment.withdrawn', { refund_id: refund.id });
    return refund;
  });
}

/**
 * So that a second tab waits, and then sees the first one's refund.
 *
 * @returns the address that it was paid under, and the account's, which may have changed since
 */
async function lockPayment(
  tx: Transaction,
  { accountId, paymentId }: WithdrawalWish,
): Promise<(string | null)[]> {
  const { rows } = await tx.query<Record<'paid_under' | 'now', string | null>>(
    `select payment.email as paid_under, account.email as now
     from payment join account on account.id = account_id
     where payment.id = $1 and account_id = $2 for update of payment`,
    [paymentId, accountId],
  );
  return rows.flatMap(({ paid_under, now }) => [paid_under, now]);
}
