import type { Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import type { VerifiedIdentity } from '#identity/verify-token.ts';

/** An administrator who performs an action. */
export type Administrator = Pick<VerifiedIdentity, 'uid' | 'email'>;

/**
 * Who performs an audited action: the signed-in administrator, or the name of a program that runs without
 * one (a seed, a test) and has no account.
 */
export type Actor = Administrator | string;

/** The name of an actor in the audit log: the address in lower case, or the program's name. */
export function nameOf(actor: Actor): string {
  return (typeof actor === 'string' ? actor : actor.email).toLowerCase();
}

/**
 * Checks the account of the administrator who acts, and locks it for the rest of the transaction, as
 * `requireActiveAccount` (services/accounts/access.ts) does for a learner.
 *
 * @throws AppError `account_disabled`, also for a deleted account
 */
export async function requireActiveActor(tx: Transaction, actor: Actor): Promise<void> {
  if (typeof actor === 'string') return;
  const { rows } = await tx.query<{ state: string }>(
    'select state from account where uid = $1 for key share',
    [actor.uid],
  );
  if (rows[0]?.state !== 'active') throw new AppError('account_disabled');
}
