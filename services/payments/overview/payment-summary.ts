import type { Queryable } from '#database/pool.ts';
import { PAYMENT_STATUSES, statusCondition, type PaymentStatus } from './payment-status.ts';
import type { Reconciliation } from '#payments/reconciliation/reconcile.ts';

export interface PaymentSummary {
  /** How many payments have each status. */
  counts: Record<PaymentStatus, number>;
  /** How many a person must look at. */
  attention: number;
  /** The last comparison with Stripe that is done; null before the first. */
  reconciliation: Reconciliation | null;
  /** The last comparison that a person ordered, while it is not done. */
  running: Reconciliation | null;
}

/** What there is, at a glance. */
export async function summarizePayments(db: Queryable): Promise<PaymentSummary> {
  const [byOutcome, few, compared, ordered] = await Promise.all([
    db.query<{ outcome: PaymentStatus; count: number }>(
      'select outcome, count(*) as count from payment group by outcome',
    ),
    db.query<{ declined: number; attention: number }>(
      `select (select count(*) from payment where ${statusCondition('declined')}) as declined,
         (select count(*) from payment where attention is not null) as attention`,
    ),
    db.query<Reconciliation>(
      `select * from reconciliation where state = 'done' order by done_at desc limit 1`,
    ),
    // One of yesterday was given up, such as with the process that made it.
    db.query<Reconciliation>(
      `select * from reconciliation
       where state <> 'done' and requested_by is not null
         and created_at > clock_timestamp() - interval '1 day'
       order by created_at desc limit 1`,
    ),
  ]);
  const counts = Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, 0])) as Record<
    PaymentStatus,
    number
  >;
  for (const { outcome, count } of byOutcome.rows) counts[outcome] = count;
  const { declined, attention } = few.rows[0]!;
  counts.declined = declined;
  counts.open = Math.max(0, counts.open - declined);
  const [reconciliation = null, running = null] = [compared.rows[0], ordered.rows[0]];
  return { counts, attention, reconciliation, running };
}
