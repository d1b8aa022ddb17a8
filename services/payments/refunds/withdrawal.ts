import type { Credit } from '#accounts/credit-ledger.ts';
import type { Payment } from '#payments/payment.ts';
import type { Refund } from './request-refund.ts';
import { withdrawalDeadline } from './withdrawal-deadline.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a payment's right of withdrawal depends on. */
export interface WithdrawalBasis {
  payment: Pick<
    Payment,
    | 'amount_ore'
    | 'refunded_ore'
    | 'service_days'
    | 'settled_at'
    | 'intent_status'
    | 'dispute'
    | 'consent_version'
  >;
  refunds: readonly Pick<Refund, 'amount_ore' | 'state' | 'reason'>[];
  credit: Pick<Credit, 'starts_at'>;
}

export interface Withdrawal {
  /** The last moment. */
  until: Date;
  /** Øre. */
  refund_ore: number;
}

/**
 * What withdrawing from a purchase now would pay back; null when that cannot be done: too late, done
 * already, disputed at the bank, or nothing is left.
 *
 * Angrerettloven § 20: the learner says so, and need not say why. § 21: within 14 days. § 22: not
 * after the service was given whole. § 26: who asked for the service to start at once pays for what
 * was given until then, in proportion; who did not ask pays nothing.
 * https://lovdata.no/dokument/NL/lov/2014-06-20-27
 */
export function withdrawalOf(basis: WithdrawalBasis, now: Date): Withdrawal | null {
  const { payment, refunds } = basis;
  const until = withdrawalDeadline(payment.settled_at!);
  const disputed = payment.dispute === 'open' || payment.dispute === 'lost';
  if (payment.intent_status !== 'succeeded' || disputed || now > until) return null;
  if (refunds.some(({ reason }) => reason === 'withdrawal')) return null;
  const requested = refunds
    .filter(({ state }) => state === 'requested')
    .reduce((sum, { amount_ore }) => sum + amount_ore, 0);
  const refundedOre = payment.refunded_ore + requested;
  const refund_ore = withdrawalRefund({ ...basis, refundedOre, now });
  return refund_ore > 0 ? { until, refund_ore } : null;
}

/**
 * Øre to pay back: the amount less what the used days cost, rounded down in the learner's favour,
 * and less what was paid back already. Days are of 24 hours; one that was only begun is not used.
 */
function withdrawalRefund({
  payment: { amount_ore, service_days, consent_version },
  credit: { starts_at },
  refundedOre,
  now,
}: WithdrawalBasis & { refundedOre: number; now: Date }): number {
  const passed = Math.floor((now.getTime() - starts_at.getTime()) / DAY_MS);
  const used = consent_version === null ? 0 : Math.min(Math.max(passed, 0), service_days);
  return Math.max(amount_ore - Math.floor((amount_ore * used) / service_days) - refundedOre, 0);
}
