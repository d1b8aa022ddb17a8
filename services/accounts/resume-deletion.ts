import type { Database } from '#database/pool.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import { completeDeletion } from './delete-user.ts';

/**
 * Completes a deletion that was interrupted.
 *
 * @throws AppError `identity_provider_failed`, `payment_provider_failed`
 */
export async function resumeDeletion(deps: PaymentDeps, accountId: string): Promise<void> {
  const uid = await uidOf(deps.db, accountId);
  if (uid !== null) await completeDeletion(deps, { accountId, uid });
}

/** Null unless the account is a tombstone whose deletion is not complete. */
async function uidOf(db: Database, accountId: string): Promise<string | null> {
  const { rows } = await db.query<{ uid: string }>(
    `select uid from account join account_deletion on account_id = account.id
     where account.id = $1 and state = 'deleted' and completed_at is null`,
    [accountId],
  );
  return rows[0]?.uid ?? null;
}
