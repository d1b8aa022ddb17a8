import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { Administrator } from '#audit/actor.ts';
import type { Transaction } from '#database/pool.ts';
import { AppError, type ErrorCode } from '#errors/app-error.ts';
import type { IdentityUser } from '#identity/identity-provider.ts';
import { type Account, createAccount, SERVICE } from './account.ts';

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

interface LockedAccount {
  id: string;
  email: string;
  /** What we write to them in. */
  language: AppLanguage;
  state: 'active' | 'disabled' | 'deleted';
  /** Tokens from sign-ins before this moment are refused; null when sessions were never ended. */
  tokens_valid_after: Date | null;
}

/**
 * The account of a user, locked until the transaction ends. Somebody whom only the identity provider
 * knows is given one, because only an account can refuse a token that still lives.
 *
 * @throws AppError `user_not_found` when neither knows them
 */
export async function lockAccount(
  tx: Transaction,
  uid: string,
  identity: IdentityUser | null,
): Promise<LockedAccount> {
  if (identity) await createAccount(tx, identity);
  const { rows } = await tx.query<LockedAccount>(
    'select id, email, language, state, tokens_valid_after from account where uid = $1 for update',
    [uid],
  );
  if (!rows[0]) throw new AppError('user_not_found');
  return rows[0];
}

/** @throws AppError `code` when administrators are about to do it to themselves, by user or by address */
export function refuseSelf(
  code: Extract<ErrorCode, 'cannot_delete_self' | 'cannot_disable_self'>,
  by: Administrator,
  user: { uid: string; email?: string | undefined },
): void {
  if (user.uid === by.uid || user.email === by.email) throw new AppError(code);
}
