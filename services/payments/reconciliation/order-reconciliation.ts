import { nameOf, type Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { requestReconciliation, type Reconciliation } from './reconcile.ts';

const MOST_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Asks for a comparison with Stripe, for an administrator.
 *
 * @param since compare all payments since then; null: look for missed events only
 * @throws AppError `validation_failed` for a date to come, or more than 90 days back
 */
export async function orderReconciliation(
  db: Database,
  { since, actor }: { since: Date | null; actor: Actor },
): Promise<Reconciliation> {
  const age = since ? (Date.now() - since.getTime()) / DAY_MS : 0;
  if (age < 0 || age > MOST_DAYS + 1) {
    throw new AppError('validation_failed', {
      message: `since must be a date of the last ${MOST_DAYS} days`,
      details: { field: 'since', part: 'body' },
    });
  }
  return withTransaction(db, async (tx) => {
    const run = await requestReconciliation(tx, { requestedBy: nameOf(actor), since });
    await recordAction(tx, {
      actor,
      action: 'payment.reconciliation_requested',
      subject: run.id,
      details: { since: since?.toISOString().slice(0, 10) ?? null },
    });
    return run;
  });
}
