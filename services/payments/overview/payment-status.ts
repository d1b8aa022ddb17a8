/** What became of a payment, in one word. */
export const PAYMENT_STATUSES = [
  'settled',
  'partly_refunded',
  'refunded',
  'disputed',
  /** Paid, and nobody has got days for it yet. */
  'paid_unsettled',
  /** The bank is still working on it. */
  'processing',
  /** The learner is to identify themselves to the bank (3-D Secure). */
  'requires_action',
  /** Open, and a card was refused. */
  'declined',
  'open',
  /** Cancelled by us: nobody paid it within a day. */
  'abandoned',
  'cancelled',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

const WAS_DECLINED = 'exists (select from card_decline where payment_id = payment.id)';

/**
 * The status of the row `payment`. The column `outcome` is computed by the database from the row
 * alone, so that it has an index; only refused cards are elsewhere.
 */
export const STATUS = `case when payment.outcome = 'open' and ${WAS_DECLINED} then 'declined' else payment.outcome end`;

/** The condition for a status, in a form that the index on `outcome` serves. */
export function statusCondition(status: PaymentStatus): string {
  if (status === 'declined') return `payment.outcome = 'open' and ${WAS_DECLINED}`;
  if (status === 'open') return `payment.outcome = 'open' and not ${WAS_DECLINED}`;
  return `payment.outcome = '${status}'`;
}
