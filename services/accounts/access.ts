import type { Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { SERVICE, type Account } from './account.ts';

// The gateway checks who calls when it has read the headers; the body may come half a minute later.
// So a transaction that changes something checks again, and locks the account until it ends: a call
// that closes the account (`for update`) waits for it, and then finds everything that it wrote.

/**
 * Checks the caller's account, and locks it for the rest of the transaction: it is neither disabled nor
 * deleted meanwhile. Call it before any row of the account is written or locked.
 *
 * @param needs `service` where only a learner with active service may act
 * @throws AppError `account_disabled`, also for a deleted account; `service_expired`
 */
export async function requireActiveAccount(
  tx: Transaction,
  accountId: string,
  needs: 'account' | 'service' = 'account',
): Promise<void> {
  const { rows } = await tx.query<{ state: string } & Pick<Account, 'is_active'>>({
    name: 'require-active-account',
    text: `select state, ${SERVICE} from account cross join settings
           where account.id = $1 for key share of account`,
    values: [accountId],
  });
  if (rows[0]?.state !== 'active') throw new AppError('account_disabled');
  if (needs === 'service' && !rows[0].is_active) throw new AppError('service_expired');
}
