import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { Administrator } from '#audit/actor.ts';
import type { Transaction } from '#database/pool.ts';
import { AppError, type ErrorCode } from '#errors/app-error.ts';
import type { IdentityUser } from '#identity/identity-provider.ts';
import { type Account, createAccount, SERVICE } from './account.ts';

// The gateway checks access when it has read the headers; the body may arrive half a minute later. So a
// transaction that changes something checks again, and locks the account until it ends. A call that closes
// the account (`for update`) waits for it, and then sees everything that it wrote.

/**
 * Checks the caller's account and locks it for the rest of the transaction, so that it is neither disabled
 * nor deleted meanwhile. Call it before writing or locking any row of the account.
 *
 * @param needs `service` to require active service
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
  /** The language of mails to the user. */
  language: AppLanguage;
  state: 'active' | 'disabled' | 'deleted';
  /** Tokens from sign-ins before this time are refused; null when sessions were never revoked. */
  tokens_valid_after: Date | null;
}

/**
 * Locks the account of a user until the transaction ends. A user who exists only at the identity provider
 * gets an account, because only an account can refuse a valid token.
 *
 * @throws AppError `user_not_found` when neither an account nor the identity exists
 */
export async function lockOrCreateAccount(
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

/** @throws AppError `code` when administrators act on themselves, by user or by address */
export function refuseSelf(
  code: Extract<ErrorCode, 'cannot_delete_self' | 'cannot_disable_self'>,
  by: Administrator,
  user: { uid: string; email?: string | undefined },
): void {
  if (user.uid === by.uid || user.email === by.email) throw new AppError(code);
}
